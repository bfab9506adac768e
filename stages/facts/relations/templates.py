"""Loads the relation templates from their versioned YAML files, strictly.

`load_relations` reads templates/relations/: `classes.yaml` (answer classes), `landmarks.yaml` (sorts
of classes that no question asks for), `families.yaml` (relation families), `articles.yaml` (which
labels take an article) and relation files, one entry per Wikidata property. Whatever is wrong in any
of them is collected and raised together as one `TemplateError`, each line naming file, entry, key
and what was expected.
Files of one's own are read over them, folder over folder in the order given: an entry of a later one stands in place of
an earlier one of the same property, class or family. A `roles.yaml` among them is read over the installed role lexicon.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import templates
from stages.core import strict_yaml
from stages.facts.relations.entries import (
    ARTICLE_KEYS,
    CLASS_KEYS,
    LANDMARK_KEYS,
    read_articles,
    read_class,
    read_landmark,
    read_relation,
)
from stages.facts.relations.entry import Entry
from stages.facts.relations.model import (
    AnswerClass,
    Articles,
    CompositionRelation,
    Property,
    Relations,
    SimpleRelation,
    TemplateError,
)

TEMPLATES = ("relations/*.yaml",)

CLASSES_FILE = "classes.yaml"
FAMILIES_FILE = "families.yaml"
ARTICLES_FILE = "articles.yaml"
LANDMARKS_FILE = "landmarks.yaml"
NO_RELATIONS = (CLASSES_FILE, FAMILIES_FILE, ARTICLES_FILE, LANDMARKS_FILE)
ROLES_FILE = "roles.yaml"
# The folder of a file of one's own, in messages and digests; of a second one and so on with its number.
OWN = "own"

__all__ = ["Relations", "TemplateError", "load_relations", "templates_folder"]


def templates_folder() -> Path:
    """The folder of relation templates that is installed with the package."""
    return Path(templates.__file__).resolve().parent / "relations"


def load_relations(own: Sequence[str] = (), *, folder: Path | None = None) -> Relations:
    """All relation templates of a folder (default: the installed ones), under those of one's own files.

    own: paths of YAML files, named as the installed ones where they hold classes, families or articles; those of one
        folder stand beside each other, and over those of folders named before.

    Raises TemplateError with every problem found.
    """
    folder = folder or templates_folder()
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise TemplateError(
            [f"{folder}: expected a folder with {CLASSES_FILE} and relation files, found no .yaml file"]
        )
    read = _own(own)
    roles = {name: content for name, content in read.items() if _file_of(name) == ROLES_FILE}
    others = {name: content for name, content in read.items() if name not in roles}
    return _Loader({file.name: file.read_bytes() for file in files} | others, roles).relations()


def _file_of(name: str) -> str:
    return name.rpartition("/")[2]


def _layer(name: str) -> int:
    """0 of an installed file, from 1 up of one's own, more for what stands over others."""
    folder, slash, _ = name.rpartition("/")
    return int(folder.removeprefix(OWN) or 1) if slash else 0


def _own(paths: Sequence[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    folders = list(dict.fromkeys(Path(path).parent for path in paths))
    for path in paths:
        number = folders.index(Path(path).parent) + 1
        name = f"{OWN}{number if number > 1 else ''}/{Path(path).name}"
        if name in found:
            raise TemplateError([f"--templates {path}: a second file of that name; expected each name once"])
        try:
            found[name] = Path(path).read_bytes()
        except OSError as error:
            raise TemplateError([f"--templates {path}: cannot be read ({error.strerror})"]) from error
    return found


class _Loader:
    """One pass over the files; problems pile up and are raised at the end."""

    def __init__(self, contents: Mapping[str, bytes], roles: Mapping[str, bytes]) -> None:
        self._roles = roles
        self._problems: list[str] = []
        self._digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        self._documents = {name: self._document(name, content) for name, content in contents.items()}
        self._properties: dict[str, tuple[str, Property]] = {}
        self._simple: dict[str, SimpleRelation] = {}
        self._composition: dict[str, CompositionRelation] = {}

    def relations(self) -> Relations:
        classes = self._classes()
        families = self._families()
        articles = self._articles()
        landmarks = self._landmarks()
        # What stands over others comes first: an entry of the same property below it gives way.
        for name, document in sorted(self._documents.items(), key=lambda item: -_layer(item[0])):
            if _file_of(name) not in NO_RELATIONS:
                self._relation_file(name, document, classes, families, articles)
        if self._problems:
            raise TemplateError(self._problems)
        return Relations(
            properties=_by_number({pid: prop for pid, (_, prop) in self._properties.items()}),
            simple=_by_number(self._simple),
            composition=_by_number(self._composition),
            classes=_by_number(classes),
            landmarks=_by_number(landmarks),
            families=families,
            roles=self._roles,
            digests=self._digests,
            versions={name: document["version"] for name, document in self._documents.items()},
        )

    def _document(self, name: str, content: bytes) -> dict[str, Any]:
        try:
            document = strict_yaml.parse(content.decode("utf-8"))
        except ValueError as error:
            self._problems.append(f"{name}: not readable as strict YAML in UTF-8: {error}")
            return {}
        if not isinstance(document, dict):
            self._problems.append(f"{name}: expected a mapping with version, found {type(document).__name__}")
            return {}
        version = document.get("version")
        if type(version) is not int or version < 1:
            self._problems.append(f"{name}: version: expected a whole number from 1 up, found {version!r}")
        return document

    def _section(self, name: str, key: str) -> dict[str, Any]:
        """The mapping under the only key that a file has beside its version."""
        document = self._documents.get(name)
        if document is None:
            self._problems.append(f"{name}: missing; expected it beside the relation files, with version and {key}")
            return {}
        self._problems.extend(
            f"{name}: {word}: unknown key; expected version and {key}"
            for word in document
            if word not in ("version", key)
        )
        section = document.get(key)
        if isinstance(section, dict) and section:
            return section
        if document:
            self._problems.append(f"{name}: {key}: expected a mapping with at least one entry, found {section!r}")
        return {}

    def _versions(self, name: str) -> list[str]:
        """An installed file, and one's own of its name, each over those before it."""
        own = (other for other in self._documents if _layer(other) and _file_of(other) == name)
        return [name, *sorted(own, key=_layer)]

    def _classes(self) -> dict[str, AnswerClass]:
        classes = {}
        for name in self._versions(CLASSES_FILE):
            for qid, fields in self._section(name, "classes").items():
                answer_class = read_class(Entry(name, str(qid), fields, CLASS_KEYS, self._problems))
                if answer_class:
                    classes[answer_class.qid] = answer_class
        return classes

    def _families(self) -> dict[str, str]:
        families = {}
        for file in self._versions(FAMILIES_FILE):
            for name, about in self._section(file, "families").items():
                if isinstance(name, str) and isinstance(about, str) and about.strip():
                    families[name] = about
                else:
                    self._problems.append(f"{file}: {name}: expected a name and a line saying what the family holds")
        return families

    def _articles(self) -> Articles:
        """One's own file stands in place of the installed one as a whole: a label is in one list only."""
        name = self._versions(ARTICLES_FILE)[-1]
        return read_articles(Entry(name, "articles", self._section(name, "articles"), ARTICLE_KEYS, self._problems))

    def _landmarks(self) -> dict[str, tuple[str, ...]]:
        landmarks: dict[str, tuple[str, ...]] = {}
        for name in self._versions(LANDMARKS_FILE):
            for qid, fields in self._section(name, "landmarks").items():
                sorts = read_landmark(Entry(name, str(qid), fields, LANDMARK_KEYS, self._problems))
                if sorts:
                    landmarks[str(qid)] = sorts
        return landmarks

    def _relation_file(
        self,
        name: str,
        document: Mapping[str, Any],
        classes: Mapping[str, AnswerClass],
        families: Mapping[str, str],
        articles: Articles,
    ) -> None:
        for pid, fields in self._section(name, "relations").items() if document else ():
            read = read_relation(name, str(pid), fields, classes, families, articles, self._problems)
            if read is None:
                continue
            prop, simple, composition = read
            if prop.pid in self._properties:
                first = self._properties[prop.pid][0]
                if _layer(first) > _layer(name):
                    continue
                self._problems.append(f"{name}: {pid}: duplicate property; expected one entry, the first is in {first}")
                continue
            self._properties[prop.pid] = (name, prop)
            if simple:
                self._simple[prop.pid] = simple
            if composition:
                self._composition[prop.pid] = composition


def _by_number(entries: dict[str, Any]) -> dict[str, Any]:
    return dict(sorted(entries.items(), key=lambda item: int(item[0][1:])))
