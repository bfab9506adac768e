"""How questions travel: by requests, with certificates verified; a SPARQL query as SPARQLWrapper writes it.

Neither repeats anything: `stages.live.service` does. An answer is read piece by piece, no further
than its cap and no longer than its time, and a redirect is followed to http or https only.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urljoin

import requests
import urllib3
from SPARQLWrapper import JSON, POST, SPARQLWrapper

from stages.live.addresses import LiveError, checked, may_lead, shown, without_user
from stages.live.cache import Question
from stages.live.manners import Manners
from stages.live.service import ConnectionDropped, Cut, ServiceReply

_PIECE = 1 << 16
Written = tuple[bytes, Mapping[str, str]]
"""The body of a request, and its headers."""


class Http:
    """A question's values as a form by POST, since fifty titles are too long for an address."""

    def __init__(self, manners: Manners, now: Callable[[], float] = time.monotonic) -> None:
        self._manners = manners
        self._now = now
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": manners.agent, "Accept-Encoding": "gzip"})

    def __call__(self, question: Question) -> ServiceReply:
        """The reply at the end of the redirects."""
        body, headers = self._written(question)
        start = checked(question.address)
        for _ in range(self._manners.redirects + 1):
            try:
                reply = self._once(start, body, headers)
            except (urllib3.exceptions.ProtocolError, urllib3.exceptions.DecodeError) as error:
                raise Cut(f"the answer broke off ({type(error).__name__})") from error
            # What these say may hold the whole address, and with it what is secret there.
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                raise ConnectionDropped(*_said(error, start)) from error
            target = reply.headers.get("location")
            if not 300 <= reply.status < 400 or target is None:
                return reply
            start = _followed(start, urljoin(without_user(start)[0], target))
        raise LiveError(f"{shown(question.address)}: more than {self._manners.redirects} redirects")

    def _written(self, question: Question) -> Written:
        body = urlencode(dict(question.values)).encode("ascii")
        return body, {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}

    def _once(self, address: str, body: bytes, headers: Mapping[str, str]) -> ServiceReply:
        bare, user = without_user(address)
        with self._session.post(
            bare,
            data=body,
            headers=headers,
            # Without this, passwords from a .netrc would go along.
            auth=user or _nobody,
            stream=True,
            allow_redirects=False,
            timeout=(self._manners.connect_seconds, self._manners.seconds),
        ) as response:
            found = {name.lower(): value for name, value in response.headers.items()}
            return ServiceReply(response.status_code, found, b"".join(self._pieces(response.raw)))

    def _pieces(self, raw: Any) -> Iterator[bytes]:
        end, size = self._now() + self._manners.answer_seconds, 0
        while piece := raw.read1(_PIECE, decode_content=True):
            size += len(piece)
            if size > self._manners.most_bytes:
                raise Cut(f"an answer of more than {self._manners.most_bytes:,} bytes")
            if self._now() > end:
                raise Cut(f"an answer that was not whole after {self._manners.answer_seconds:.0f} s")
            yield piece


class Sparql(Http):
    """A query by POST, answered in SPARQL's JSON; values: {"query": text}."""

    def _written(self, question: Question) -> Written:
        wrapper = _Wrapper(question.address, agent=self._manners.agent, returnFormat=JSON)
        wrapper.setMethod(POST)
        wrapper.setOnlyConneg(True)
        wrapper.setQuery(question.values["query"])
        return wrapper.request()


class _Wrapper(SPARQLWrapper):
    """Writes a request; its own way of sending one follows any redirect and reads without end."""

    def request(self) -> Written:
        request = self._createRequest()
        if not isinstance(request.data, bytes):
            raise TypeError("a query by POST has a body")
        return request.data, dict(request.header_items())


def _said(error: Exception, address: str) -> tuple[str, str]:
    """What happened, and what to look at where it always does."""
    name, secure = type(error).__name__, address.startswith("https:")
    if secure and "CERTIFICATE_VERIFY_FAILED" in str(error):
        return f"{name}, a certificate that is not trusted", "the name in the address has to be the certificate's"
    if secure and isinstance(error, requests.exceptions.SSLError):
        return f"{name}, no TLS", "a service without TLS has an address with http://, not https://"
    if secure and isinstance(error, requests.Timeout):
        return name, "a service without TLS has an address with http://, not https://"
    if not secure and "Connection aborted" in str(error):
        return name, "a service with TLS has an address with https://, not http://"
    return name, ""


def _nobody(request: requests.PreparedRequest) -> requests.PreparedRequest:
    return request


def _followed(source: str, target: str) -> str:
    if not may_lead(source, target):
        raise LiveError(f"{shown(source)}: leads to {shown(target)}, which is not followed")
    if without_user(target)[1] is not None:
        raise LiveError(f"{shown(source)}: leads to an address with a user in it, which is not followed")
    return checked(target)
