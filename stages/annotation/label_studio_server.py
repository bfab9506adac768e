"""A Label Studio server: projects made and filled with tasks through its API, by its own client library.

A project holds the tasks of one kind and one number of votes, as the server sets that per project. Its description ends
in a digest of these tasks: sending the same ones again finds the project and adds only what is missing in it, so that a
run that broke off is finished by the next. Nothing that tells of attention checks or known answers is sent.
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import pyarrow as pa

from manifests.digest import canonical_json, sha256
from manifests.secrets import HIDDEN, masked
from stages.annotation.forms.kinds import TASK_FIELD, TaskKind
from stages.annotation.forms.pages import guide_html, label_studio_config
from stages.annotation.platforms.label_studio import import_task
from stages.annotation.sending import BATCH, Task, by_kind, by_task, by_votes, in_batches
from stages.core.contract import StageError
from stages.live.addresses import in_the_clear

TOKEN = "LABEL_STUDIO_API_KEY"  # noqa: S105 (the name of an environment variable)
_LIBRARY, _FAULTS, _TRANSPORT = "label_studio_sdk", "label_studio_sdk.core.api_error", "httpx"
_SECONDS = 300
_PAGE = 500
_SAID = 300


class PushError(StageError):
    """The server cannot be used, or refuses; the message names it and what helps, and never the token."""


@dataclass(frozen=True)
class Pushed:
    """A project as it is now. votes: workers per task; tasks: in it; added: of these, now; url: for a browser."""

    kind: str
    votes: int
    tasks: int
    added: int
    url: str


@dataclass(frozen=True)
class Server:
    """A server's API.

    url: as it is shown; token: of the user whose projects these become, which no message holds.
    """

    url: str
    token: str = field(repr=False)

    @classmethod
    def of(cls, url: str, environment: Mapping[str, str] = os.environ) -> Server:
        """Raises PushError: no address of a server, one with a password in it, one of another machine over plain
        http, or no token in the environment."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PushError(f"--push '{masked(url)}': expected an address such as https://label-studio.example.org")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise PushError(f"--push '{masked(url)}': expected an address alone; the token comes from {TOKEN}")
        if in_the_clear(url):
            raise PushError(
                f"--push '{masked(url)}': your token would go to another machine over plain http, for all on the way "
                "to read; name an https address"
            )
        token = environment.get(TOKEN, "").strip()
        if not token:
            raise PushError(f"--push: set {TOKEN} to an access token of your account on {url}")
        return cls(url.rstrip("/"), token)

    def push(
        self,
        tasks: pa.Table,
        kinds: Mapping[str, TaskKind],
        dataset: str,
        batch: int = BATCH,
        answers: Sequence[Mapping[str, Any]] | None = None,
    ) -> list[Pushed]:
        """Makes and fills a project for each kind and number of votes.

        tasks: rows of TASKS, in any order. answers: rows of ANNOTATIONS with which the form is filled in for experts.

        Raises PushError: the server is not reached, refuses, or the client library is missing.
        """
        given = by_task(answers or ())
        projects = _Projects(self)
        return [
            projects.fill(_wanted(kinds[name], dataset, votes, found, answers is not None), found, batch, given)
            for name, all_of_kind in by_kind(tasks, kinds).items()
            for votes, found in by_votes(all_of_kind)
        ]


@dataclass(frozen=True)
class _Wanted:
    kind: TaskKind
    votes: int
    description: str


def _wanted(kind: TaskKind, dataset: str, votes: int, tasks: Sequence[Task], expert: bool) -> _Wanted:
    digest = sha256(canonical_json([expert, *sorted(one.task for one in tasks)]).encode())[:12]
    who = ", for experts" if expert else ""
    return _Wanted(kind, votes, f"{dataset}: {kind.name}, {votes} per task{who}; {digest}")


class _Projects:
    """The projects of a server."""

    def __init__(self, server: Server) -> None:
        self._server = server
        library = _library(_LIBRARY)
        self._faults = (_library(_FAULTS).ApiError, _library(_TRANSPORT).HTTPError, OSError, ValueError)
        client = library.LabelStudio
        self._client = self._asked(lambda: client(base_url=server.url, api_key=server.token, timeout=_SECONDS))
        # What is there already, looked up once.
        self._known: dict[str, int] = dict(self._asked(self._listed))

    def fill(self, wanted: _Wanted, tasks: Sequence[Task], batch: int, given: Mapping[str, list[str]]) -> Pushed:
        number = self._known.get(wanted.description)
        there: set[str] = self._asked(lambda: self._tasks(number)) if number is not None else set()
        project: int = self._asked(lambda: self._made(wanted)) if number is None else number
        missing = [one for one in tasks if one.task not in there]
        for part in in_batches(missing, batch):
            records = [
                import_task(one.task, one.payload, wanted.kind, [json.loads(said) for said in given.get(one.task, ())])
                for one in part
            ]
            self._asked(partial(self._imported, project, records))
        found = self._asked(lambda: self._tasks(project)) if missing else there
        if lost := [one.task for one in tasks if one.task not in found]:
            raise PushError(
                f"{self._server.url}: project {project} has {len(lost)} of {len(tasks)} tasks not yet, such as "
                f"{lost[0]}; a server that imports in the background needs a while; then run the same command again"
            )
        where = f"{self._server.url}/projects/{project}"
        return Pushed(wanted.kind.name, wanted.votes, len(tasks), len(missing), where)

    def _listed(self) -> list[tuple[str, int]]:
        found = self._client.projects.list(page_size=_PAGE)
        return [(one.description, one.id) for one in found if one.description]

    def _tasks(self, project: int) -> set[str]:
        """The ids of a project's tasks."""
        found = self._client.tasks.list(project=project, page_size=_PAGE)
        return {str(one.data.get(TASK_FIELD)) for one in found}

    def _made(self, wanted: _Wanted) -> int:
        settings = wanted.kind.settings
        made = self._client.projects.create(
            title=settings.title,
            description=wanted.description,
            label_config=label_studio_config(wanted.kind),
            expert_instruction=guide_html(settings.guide),
            show_instruction=True,
            maximum_annotations=wanted.votes,
            # A request that is repeated because its answer was lost would make a second project.
            request_options={"max_retries": 0},
        )
        return int(made.id)

    def _imported(self, project: int, records: list[dict[str, Any]]) -> None:
        self._client.projects.import_tasks(project, request=records, request_options={"max_retries": 0})

    def _asked(self, ask: Callable[[], Any]) -> Any:
        """Raises PushError for whatever the library says, without the token."""
        try:
            return ask()
        except self._faults as error:
            raise PushError(f"{self._server.url}: {self._told(error)}") from None

    def _told(self, error: Exception) -> str:
        status = getattr(error, "status_code", None)
        body = getattr(error, "body", None)
        text = str(error) if body is None else body if isinstance(body, str) else json.dumps(body, default=str)
        said = masked(" ".join(text.replace(self._server.token, HIDDEN).split()))[:_SAID]
        if status in (401, 403):
            return f"refuses the token in {TOKEN} ({said}); make a new one in the account settings there"
        if status is not None and status >= 400:
            return f"answers with {status}: {said}"
        return f"not reached ({type(error).__name__}: {said}); is it a Label Studio server, and running?"


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise PushError(
            f"{name} is not installed ({error}); --push needs: pip install 'benchwright[annotation]'"
        ) from error
