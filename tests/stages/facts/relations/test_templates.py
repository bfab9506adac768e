"""Tests of stages.facts.relations.templates: the installed templates load, and every mistake is named."""

from __future__ import annotations

import hashlib
import json
import pickle
from pathlib import Path

import pytest

from stages.facts.relations.templates import TemplateError, load_relations, templates_folder

CLASSES = """
version: 1
classes:
  Q5: {singular: person, plural: people, article: a, wh: who, breadth: 2}
  Q11424: {singular: film, plural: films, article: a, wh: which, sort: [work/audiovisual]}
"""
FAMILIES = """
version: 1
families:
  creative_role: who did what in the making of a work
"""
ARTICLES = """
version: 1
articles:
  {exact: [Netherlands], starts: [United], ends: [Sea], within: [], never: [], bare: [music], superlatives: [largest]}
"""
LANDMARKS = """
version: 1
landmarks:
  Q483394: {label: genre, sort: [kind]}
  Q2385804: {label: educational institution, sort: [organisation/school, place/structure]}
"""
DIRECTOR = """
version: 3
relations:
  P57:
    label: director
    family: creative_role
    hypothesis: "{subject} was directed by {object}."
    simple: {classes: [Q11424], clause: "was directed by {entity}", nested: "{nouns} directed by {entity}"}
    composition: {plural: directors, question: "Who directed {phrase}?"}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("classes.yaml", CLASSES),
        ("families.yaml", FAMILIES),
        ("articles.yaml", ARTICLES),
        ("landmarks.yaml", LANDMARKS),
        ("works.yaml", DIRECTOR),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def problems(folder: Path) -> tuple[str, ...]:
    with pytest.raises(TemplateError) as caught:
        load_relations(folder=folder)
    for problem in caught.value.problems:
        assert problem in str(caught.value)
    return caught.value.problems


def rewrite(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_small_folder_loads(folder: Path) -> None:
    relations = load_relations(folder=folder)
    director = relations.simple["P57"]
    assert (director.typed, director.noun.qid, director.family) == (True, "Q11424", "creative_role")
    assert director.question.text == "{which} was directed by {entity}?"
    assert relations.composition["P57"].plural == "directors"
    assert relations.target_classes == ("Q11424",)
    assert relations.versions["works.yaml"] == 3
    assert relations.sorts == {
        "Q483394": ("kind",),
        "Q2385804": ("organisation/school", "place/structure"),
        "Q11424": ("work/audiovisual",),
    }
    assert relations.digests["works.yaml"] == hashlib.sha256(DIRECTOR.encode()).hexdigest()


def test_loaded_templates_survive_pickling() -> None:
    relations = load_relations()
    assert pickle.loads(pickle.dumps(relations)) == relations  # noqa: S301


def test_order_and_digests_do_not_depend_on_the_file_system() -> None:
    relations = load_relations()
    assert list(relations.simple) == sorted(relations.simple, key=lambda pid: int(pid[1:]))
    assert list(relations.digests) == sorted(path.name for path in templates_folder().glob("*.yaml"))


def test_every_family_and_class_is_used() -> None:
    relations = load_relations()
    assert {prop.family for prop in relations.properties.values()} == set(relations.families)
    used = {c.qid for r in relations.simple.values() for c in (*r.classes, r.noun)}
    assert sorted(set(relations.classes) - used) == []


def test_the_papers_relations_are_covered(shared_data: Path) -> None:
    published = json.loads((shared_data / "qampari" / "relations.json").read_text(encoding="utf-8"))
    relations = load_relations()
    for kind, entries, expected in (
        ("simple", relations.simple, 155),
        ("composition", relations.composition, 270),
    ):
        wanted = {row["pid"] for row in published[kind]}
        paper = [entry for entry in entries.values() if not entry.extra]
        covered = {entry.stands_for or entry.pid for entry in paper}
        assert len(wanted) == expected
        assert (kind, sorted(wanted - covered)) == (kind, [])
        assert (kind, sorted(covered - wanted)) == (kind, [])


def test_typed_relations_are_the_papers(shared_data: Path) -> None:
    published = json.loads((shared_data / "qampari" / "relations.json").read_text(encoding="utf-8"))["simple"]
    simple = {entry.stands_for or pid: entry for pid, entry in load_relations().simple.items()}
    differing = sorted(row["pid"] for row in published if row["typed"] != simple[row["pid"]].typed)
    assert differing == []


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("{object}.", "{objekt}.", "works.yaml: P57: hypothesis: unknown slot {objekt}; expected {subject}"),
        ("{subject} was", "It was", "works.yaml: P57: hypothesis: expected the slot {subject} once, found it 0 times"),
        (
            "directed {phrase}",
            "directed {phrase} {phrase}",
            "P57: composition: question: expected the slot {phrase} once",
        ),
        ("{phrase}?", "{the_phrase}?", "P57: composition: question: unknown slot {the_phrase}"),
        ("{phrase}?", "{phrase}", "P57: composition: question: expected it to end in '?'"),
        ('by {entity}", nested', 'by a {entity}", nested', "P57: simple: clause: expected {a_entity} in place of"),
        ("was directed by {entity}", "was directed by {entity}?", "P57: simple: clause: expected no mark"),
        ('"{nouns} directed', '"all {nouns} directed', "P57: simple: nested: expected it to begin with '{nouns} '"),
        ("was directed by {entity}", "was  directed by {entity}", "P57: simple: clause: expected one line of text"),
        ("was directed by {entity}", "was directed} by {entity}", "P57: simple: clause: expected braces only around"),
        ("classes: [Q11424]", "classes: [Q99]", "P57: simple: classes: unknown class 'Q99'"),
        ("classes: [Q11424]", "classes: [Q11424], noun: Q5", "P57: simple: expected either classes"),
        ("classes: [Q11424]", "classes: [Q11424, Q11424]", "P57: simple: classes: expected each text once"),
        ("plural: directors, ", "", "works.yaml: P57: composition: plural: missing"),
        ("label: director", "lable: director", "works.yaml: P57: lable: unknown key; expected one of label, family"),
        ("family: creative_role", "family: role", "P57: family: unknown family 'role'; expected one of creative_role"),
        ("P57:", "57:", "works.yaml: 57: expected a property id such as P57 as its key"),
        ("version: 3", "version: new", "works.yaml: version: expected a whole number from 1 up, found 'new'"),
        ("version: 3", "", "works.yaml: version: expected a whole number from 1 up, found None"),
        ("relations:", "relation:", "works.yaml: relation: unknown key; expected version and relations"),
        ("label: director", "label: !!python/name:os.system", "works.yaml: not readable as strict YAML"),
        ("label: director", "label: director\n    value: number", "P57: value: expected one of item, quantity"),
        ("label: director", "label: director\n    stands_for: 57", "P57: stands_for: expected a property id, found 57"),
    ],
)
def test_a_mistake_is_named_with_its_place(folder: Path, old: str, new: str, expected: str) -> None:
    rewrite(folder, "works.yaml", old, new)
    found = problems(folder)
    assert any(expected in problem for problem in found), found


def test_all_mistakes_are_shown_together(folder: Path) -> None:
    rewrite(folder, "works.yaml", "{phrase}?", "{phrases}?")
    rewrite(folder, "classes.yaml", "wh: which", "wh: whose")
    rewrite(folder, "classes.yaml", "Q5:", "q5:")
    found = "\n".join(problems(folder))
    for expected in (
        "unknown slot {phrases}",
        "classes.yaml: Q11424: wh: expected one of who",
        "classes.yaml: q5: expected a QID",
    ):
        assert expected in found


def test_a_property_stands_once_in_a_file(folder: Path) -> None:
    rewrite(folder, "works.yaml", "relations:", "relations:\n  P57: {}")
    assert "works.yaml: not readable as strict YAML in UTF-8: line 5: 'P57' stands twice (first on line 4)" in problems(
        folder
    )


def test_a_property_stands_in_one_file(folder: Path) -> None:
    (folder / "zz.yaml").write_text(DIRECTOR, encoding="utf-8")
    assert problems(folder) == ("zz.yaml: P57: duplicate property; expected one entry, the first is in works.yaml",)


def test_missing_files_are_named(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "families.yaml").unlink()
    assert any(problem.startswith("families.yaml: missing") for problem in problems(folder))
    assert "found no .yaml file" in problems(tmp_path_factory.mktemp("empty"))[0]


def test_text_that_is_not_utf8_is_named(folder: Path) -> None:
    (folder / "works.yaml").write_bytes(b"version: 1\nrelations: {\xff: 1}\n")
    assert problems(folder)[0].startswith("works.yaml: not readable as strict YAML in UTF-8")


def test_the_error_survives_pickling(folder: Path) -> None:
    rewrite(folder, "works.yaml", "version: 3", "version: 0")
    with pytest.raises(TemplateError) as caught:
        load_relations(folder=folder)
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems  # noqa: S301


def own_files(folder: Path, **contents: str) -> list[str]:
    """Files of one's own below a folder, by name without its ending."""
    folder.mkdir()
    for name, text in contents.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return sorted(str(path) for path in folder.iterdir())


OWN_CLASS = "version: 1\nclasses: {Q476028: {singular: club, plural: clubs, article: a, wh: which}}\n"
OWN_RELATION = """
version: 1
relations:
  P115:
    label: home venue
    family: creative_role
    hypothesis: "{subject} plays its home matches at {object}."
    simple: {classes: [Q476028], clause: "plays at {entity}", nested: "{nouns} playing at {entity}"}
"""


def test_templates_of_ones_own_stand_over_the_installed_ones(folder: Path, tmp_path: Path) -> None:
    other = DIRECTOR.replace("was directed by {entity}", "was made by {entity}")
    own = own_files(tmp_path / "own", classes=OWN_CLASS, clubs=OWN_RELATION, works=other)
    relations = load_relations(own, folder=folder)
    assert set(relations.simple) == {"P57", "P115"}
    assert relations.simple["P57"].question.text == "{which} was made by {entity}?"
    assert relations.simple["P115"].noun.plural == "clubs" and set(relations.classes) == {"Q5", "Q11424", "Q476028"}
    assert relations.digests["own/works.yaml"] == hashlib.sha256(other.encode()).hexdigest()
    assert "works.yaml" in relations.digests


def test_a_mistake_in_ones_own_templates_is_named(folder: Path, tmp_path: Path) -> None:
    own = own_files(tmp_path / "own", clubs=OWN_RELATION)
    with pytest.raises(TemplateError, match=r"own/clubs\.yaml: P115: simple: classes: unknown class .Q476028"):
        load_relations(own, folder=folder)
    twice = own_files(tmp_path / "more", classes=OWN_CLASS, a=OWN_RELATION, b=OWN_RELATION)
    with pytest.raises(TemplateError, match=r"own/b\.yaml: P115: duplicate property; .* the first is in own/a\.yaml"):
        load_relations(twice, folder=folder)
    with pytest.raises(TemplateError, match=r"--templates .*clubs\.yaml: a second file of that name"):
        load_relations([*own, *own], folder=folder)
    with pytest.raises(TemplateError, match=r"--templates .*none\.yaml: cannot be read"):
        load_relations([str(tmp_path / "none.yaml")], folder=folder)


def test_a_later_folder_stands_over_an_earlier_one(folder: Path, tmp_path: Path) -> None:
    first = own_files(tmp_path / "a", classes=OWN_CLASS, clubs=OWN_RELATION)
    moved = OWN_RELATION.replace("plays at", "meets at")
    second = own_files(tmp_path / "b", classes=OWN_CLASS.replace("clubs", "teams"), grounds=moved)
    for own, noun, word in (([*first, *second], "teams", "meets"), ([*second, *first], "clubs", "plays")):
        relations = load_relations(own, folder=folder)
        assert relations.simple["P115"].noun.plural == noun
        assert relations.simple["P115"].clause.text == f"{word} at {{entity}}"
    assert {"own/classes.yaml", "own2/classes.yaml"} <= set(relations.digests)
    assert relations.digests["own2/clubs.yaml"] == hashlib.sha256(OWN_RELATION.encode()).hexdigest()


def test_a_role_lexicon_of_ones_own_is_kept_for_the_check(folder: Path, tmp_path: Path) -> None:
    own = own_files(tmp_path / "own", classes=OWN_CLASS, clubs=OWN_RELATION, roles="version: 1\n")
    relations = load_relations(own, folder=folder)
    assert relations.roles == {"own/roles.yaml": b"version: 1\n"}
    assert "own/roles.yaml" not in relations.digests
