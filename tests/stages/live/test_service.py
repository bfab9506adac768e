from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stages.live.addresses import LiveError
from stages.live.cache import Cache, Question
from stages.live.manners import Manners
from stages.live.service import Busy, ConnectionDropped, Cut, Foreign, NotAsked, Service, ServiceReply
from tests.stages.live.made import StoppedClock

KIND = {"content-type": "application/json"}
GOOD = ServiceReply(200, KIND, b"[1]")
Said = ServiceReply | Exception


class Script:
    """Says one thing after another; the last one for ever."""

    def __init__(self, *said: Said) -> None:
        self.said = list(said)
        self.sent = 0

    def __call__(self, question: Question) -> ServiceReply:
        self.sent += 1
        said = self.said.pop(0) if len(self.said) > 1 else self.said[0]
        if isinstance(said, Exception):
            raise said
        return said


def read(body: bytes) -> object:
    try:
        return json.loads(body)
    except ValueError as error:
        raise Cut("not whole") from error


def made(folder: Path, *said: Said, manners: Manners | None = None, offline: bool = False) -> tuple[Service, Script]:
    script = Script(*said)
    service = Service(
        "https://u:pw@host/x", script, Cache(folder), manners or Manners(), StoppedClock(), offline=offline
    )
    return service, script


def pauses(service: Service) -> list[float]:
    assert isinstance(service.clock, StoppedClock)
    return service.clock.pauses


def test_an_answer_is_asked_for_once(tmp_path: Path) -> None:
    service, script = made(tmp_path, GOOD)
    assert service.ask({"q": "1"}, read) == [1]
    assert service.ask({"q": "1"}, read) == [1]
    assert script.sent == 1 and service.tally.cached == 1
    offline, script = made(tmp_path, GOOD, offline=True)
    assert offline.ask({"q": "1"}, read) == [1] and script.sent == 0
    digest = Question("https://host/x", {"q": "2"}).digest[:12]
    said = rf"^https://host/x: .* lacks the names of Q2 \(question {digest}\); `build` without --offline asks for it$"
    with pytest.raises(NotAsked, match=said):
        offline.ask({"q": "2"}, read, about="the names of Q2")


@pytest.mark.parametrize("status", [408, 425, 429, 502, 503])
def test_a_pause_without_a_number_grows(tmp_path: Path, status: int) -> None:
    service, _ = made(tmp_path, *[ServiceReply(status, {}, b"")] * 5, GOOD)
    assert service.ask({}, read) == [1]
    assert pauses(service) == [2, 4, 8, 16, 32]


def test_retry_after_is_obeyed(tmp_path: Path) -> None:
    service, _ = made(
        tmp_path, ServiceReply(429, {"retry-after": "7"}, b""), ServiceReply(503, {"retry-after": "0"}, b""), GOOD
    )
    assert service.ask({}, read) == [1]
    assert pauses(service) == [7, 0]


def test_a_pause_longer_than_allowed_ends_the_run(tmp_path: Path) -> None:
    service, _ = made(tmp_path, ServiceReply(429, {"retry-after": "3600"}, b""), GOOD)
    with pytest.raises(LiveError, match="--longest-wait"):
        service.ask({}, read)


def test_the_deadline_ends_a_question(tmp_path: Path) -> None:
    service, _ = made(tmp_path, ServiceReply(503, {}, b""), manners=Manners(deadline=100))
    with pytest.raises(LiveError, match="--deadline"):
        service.ask({}, read)
    assert sum(pauses(service)) <= 100


@pytest.mark.parametrize(
    "said",
    [
        ConnectionDropped("ConnectionError"),
        ServiceReply(200, {"content-type": "text/html"}, b"<html>"),
        ServiceReply(200, {}, b"[1]"),
    ],
)
def test_a_service_that_never_answered_is_soon_given_up(tmp_path: Path, said: Said) -> None:
    service, script = made(tmp_path, said)
    with pytest.raises(LiveError, match=r"api\.php"):
        service.ask({}, read)
    assert script.sent == 4


def test_one_that_never_answered_is_not_promised_to_go_on(tmp_path: Path) -> None:
    service, _ = made(tmp_path, ConnectionDropped("SSLError", "http://, not https://"), manners=Manners(deadline=3))
    with pytest.raises(LiveError, match=r"within 3 s, .*SSLError; http://, not https://; is this .*\? If it is"):
        service.ask({}, read)


def test_another_service_is_asked_once(tmp_path: Path) -> None:
    def check(body: bytes) -> object:
        raise Foreign(f"answers {body.decode()} for pw")

    service, script = made(tmp_path, GOOD)
    service.kind = "a SPARQL endpoint"
    with pytest.raises(LiveError, match=r"^https://host/x: answers \[1\] for \.\.\.; .*of a SPARQL endpoint\?$"):
        service.ask({}, check)
    assert script.sent == 1


def test_long_pauses_are_told_and_each_longer_one(tmp_path: Path) -> None:
    waits = ("4", "37", "37", "20", "38")
    service, _ = made(tmp_path, *[ServiceReply(429, {"retry-after": wait}, b"") for wait in waits], GOOD)
    said: list[str] = []
    service.say = said.append
    assert service.ask({}, read) == [1]
    assert said == [f"https://host/x: status 429, waiting {seconds} s" for seconds in (37, 38)]


def test_an_attempt_that_takes_long_is_told_too(tmp_path: Path) -> None:
    service, script = made(tmp_path, Cut("the answer broke off"), GOOD)
    said: list[str] = []
    service.say = said.append

    def slow(question: Question) -> ServiceReply:
        service.clock.sleep(60)
        return script(question)

    service.send = slow
    service.ask({}, read)
    assert said == ["https://host/x: the answer broke off, waiting 2 s"]


def test_one_that_did_is_given_until_the_deadline(tmp_path: Path) -> None:
    service, script = made(tmp_path, GOOD, *[ConnectionDropped("reset")] * 7, GOOD)
    service.ask({"q": "1"}, read)
    assert service.ask({"q": "2"}, read) == [1]
    assert script.sent == 9


def test_a_cut_answer_is_asked_for_twice_and_remembered(tmp_path: Path) -> None:
    service, script = made(tmp_path, ServiceReply(200, KIND, b"[1"), ServiceReply(200, KIND, b"[1"), GOOD)
    with pytest.raises(Cut):
        service.ask({}, read)
    assert script.sent == 2
    with pytest.raises(Cut):
        made(tmp_path, GOOD, offline=True)[0].ask({}, read)


def test_what_cannot_be_asked_in_parts_may_come_whole_another_day(tmp_path: Path) -> None:
    with pytest.raises(Cut, match=r"status 500; nothing whole has come from https://host/x yet; is this the address"):
        made(tmp_path, ServiceReply(500, {}, b""))[0].ask({}, read, least=True)
    assert made(tmp_path, GOOD)[0].ask({}, read, least=True) == [1]


def test_of_a_service_that_has_answered_a_cut_says_no_more_than_it_is(tmp_path: Path) -> None:
    service, _ = made(tmp_path, GOOD, ServiceReply(500, {}, b""))
    service.ask({"q": "1"}, read)
    with pytest.raises(Cut, match="^status 500$"):
        service.ask({"q": "2"}, read, least=True)


def test_a_cut_answer_may_come_whole_the_second_time(tmp_path: Path) -> None:
    service, _ = made(tmp_path, ServiceReply(200, KIND, b"[1"), GOOD)
    assert service.ask({}, read) == [1]


def test_too_much_for_the_service_is_cut(tmp_path: Path) -> None:
    for status in (413, 500, 504):
        service, _ = made(tmp_path / str(status), ServiceReply(status, {}, b""))
        with pytest.raises(Cut, match=str(status)):
            service.ask({}, read)


def test_a_refusal_is_final_and_repeats_no_secret(tmp_path: Path) -> None:
    service, script = made(tmp_path, ServiceReply(403, {}, b"user u with pw may not"))
    with pytest.raises(LiveError, match="refused with status 403") as caught:
        service.ask({}, read)
    assert script.sent == 1 and "pw" not in str(caught.value)


def test_busy_inside_an_answer_waits_as_its_header_says(tmp_path: Path) -> None:
    def check(body: bytes) -> object:
        if body == b"busy":
            raise Busy("lag")
        return read(body)

    service, _ = made(tmp_path, ServiceReply(200, KIND | {"retry-after": "5"}, b"busy"), GOOD)
    checked: Callable[[bytes], object] = check
    assert service.ask({}, checked) == [1]
    assert pauses(service) == [5]


def odd(body: bytes) -> object:
    if body == b"[1]":
        raise Foreign("answers in another form")
    return body


def test_an_answer_in_another_form_is_not_kept_and_one_that_was_is_asked_again(tmp_path: Path) -> None:
    service, script = made(tmp_path, GOOD)
    with pytest.raises(LiveError, match="^https://host/x: answers in another form; is this the address"):
        service.ask({}, odd)
    assert script.sent == 1 and not service.cache.any()
    service.ask({}, read)
    offline, script = made(tmp_path, GOOD, offline=True)
    with pytest.raises(LiveError, match=r"\.zst: answers in another form; `build` without --offline asks again$"):
        offline.ask({}, odd)
    mended, script = made(tmp_path, ServiceReply(200, KIND, b"[2]"))
    assert mended.ask({}, odd) == b"[2]"
    assert (script.sent, mended.tally.sent, mended.tally.cached) == (1, 1, 0)
    assert offline.ask({}, odd) == b"[2]"
