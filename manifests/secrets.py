"""Addresses without what is secret in them, as they may stand in messages, logs and files.

An address may hold a user and a password ("s3://KEY:SECRET@bucket") and keys or tokens among its parameters. What a
filesystem or a service is asked with keeps them; all that is shown goes through `masked`.
"""

from __future__ import annotations

import re

HIDDEN = "..."
_ADDRESS = re.compile(r"(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,15}:/{1,2})([^\s\"'`<>]++)", re.IGNORECASE)
_PORT = re.compile(r"[0-9]{0,5}")
_PARAMETER = re.compile(r"([?&;])([^=&;#]*+)=([^&;#]*+)")
# Parameters of addresses that say where and how, and never who.
_OPEN = frozenset(
    (
        *("region", "scheme", "endpoint_override", "allow_bucket_creation", "allow_bucket_deletion", "connect_timeout"),
        *("request_timeout", "background_writes", "force_virtual_addressing", "retry_limit_seconds"),
        *("action", "format", "title"),
    )
)


def masked(text: str) -> str:
    """A text with every address in it, of whatever scheme, without user, password, and values of unknown parameters."""
    return _ADDRESS.sub(_masked_address, text) if ":/" in text else text


def _masked_address(found: re.Match[str]) -> str:
    scheme, rest = found[1], found[2]
    place, mark, query = rest.partition("?")
    authority = place.partition("/")[0]
    last = authority.rfind("@")
    if last < 0 and not _PORT.fullmatch(authority.partition(":")[2]):
        # What follows the colon is no port, so that it is a password, which may hold a slash or a question mark.
        place, mark, query = rest, "", ""
        last = rest.rfind("@")
    if last >= 0:
        place = f"{HIDDEN}@{place[last + 1 :]}"
    return f"{scheme}{place}{_PARAMETER.sub(_masked_parameter, mark + query)}"


def _masked_parameter(found: re.Match[str]) -> str:
    mark, name, value = found[1], found[2], found[3]
    is_open = name.lower() in _OPEN and "@" not in value and "%40" not in value
    return f"{mark}{name}={value if is_open or not value else HIDDEN}"


class Masked(Exception):
    """An error whose message shows no secret of an address."""

    def __str__(self) -> str:
        return masked(super().__str__())
