"""Addresses of live services: which may be asked, and how they are named in messages and manifests."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from stages.core.contract import StageError

SCHEMES = ("http", "https")


class LiveError(StageError):
    """A live service cannot be used; the message names it and the option that helps."""


def checked(address: str) -> str:
    """The address as it is, if it may be asked.

    Raises:
        LiveError: another scheme than http or https, no host, a port that is none, white space, a fragment, or a
            password that would go over plain http to another machine.
    """
    parts = _parts(address)
    if parts.scheme in SCHEMES and parts.hostname and _port(parts) is None:
        raise LiveError(f"{shown(address)}: {_port_named(parts)} is no port; expected a number from 1 to 65535")
    if parts.scheme not in SCHEMES or not parts.hostname:
        raise LiveError(f"{shown(address)}: not an http or https address, such as https://query.wikidata.org/sparql")
    if parts.fragment or any(character.isspace() or character < " " for character in address):
        raise LiveError(f"{shown(address)}: an address of a service has neither a fragment nor white space")
    if parts.username is not None and in_the_clear(address):
        raise LiveError(
            f"{shown(address)}: a password would go to another machine over plain http, for all on the way to read; "
            "name an https address"
        )
    return address


def in_the_clear(address: str) -> bool:
    """Whether what is sent there can be read on the way: over plain http, to a host that is not this machine."""
    parts = _parts(address)
    if parts.scheme != "http" or (host := parts.hostname or "") == "localhost":
        return False
    try:
        return not ip_address(host).is_loopback
    except ValueError:
        return True


def shown(address: str) -> str:
    """The address without user, password and query: what may stand in a log, a manifest or a file name."""
    parts = _parts(address)
    return urlunsplit((parts.scheme, _host(parts), parts.path, "", ""))


def without_user(address: str) -> tuple[str, tuple[str, str] | None]:
    """The address as it is sent, and the user and password that stood in it."""
    parts = _parts(address)
    if parts.username is None:
        return address, None
    user = (unquote(parts.username), unquote(parts.password or ""))
    return urlunsplit((parts.scheme, _host(parts), parts.path, parts.query, "")), user


def redacted(text: str, address: str) -> str:
    """A service's words without what is secret in its address, should it repeat that."""
    parts = _parts(address)
    values = (value for _, value in parse_qsl(parts.query))
    for secret in (parts.query, parts.password, parts.username, *values):
        if secret:
            text = text.replace(secret, "...").replace(unquote(secret), "...")
    return text


def may_lead(source: str, target: str) -> bool:
    """Whether a redirect may be followed: to http or https, and never from https to http."""
    before, after = _parts(source), _parts(target)
    return after.scheme in SCHEMES and bool(after.hostname) and not (before.scheme == "https" != after.scheme)


def _host(parts: SplitResult) -> str:
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    return f"{host}:{port}" if (port := _port(parts)) else host


def _port(parts: SplitResult) -> int | None:
    """0 where none is named; None where it is no port."""
    try:
        return 0 if parts.port is None else parts.port or None
    except ValueError:
        return None


def _port_named(parts: SplitResult) -> str:
    """What stands where the port does, if it is a number: a password may hold characters that end the host."""
    named = parts.netloc.rpartition(":")[2]
    return (
        named if named.isdigit() and "@" not in parts.path + parts.query + parts.fragment else "what follows the host"
    )


def _parts(address: str) -> SplitResult:
    try:
        return urlsplit(address)
    except ValueError as error:
        raise LiveError(f"not an address: {error}") from error
