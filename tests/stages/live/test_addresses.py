from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.live.addresses import LiveError, checked, in_the_clear, may_lead, redacted, shown, without_user

NAMED = "https://me:pa%3Ass@host.example:8443/sparql?token=s3cret"


@pytest.mark.parametrize(
    "address",
    [
        "ftp://host/x",
        "file:///etc/passwd",
        "https://",
        "host/x",
        "https://host/x#y",
        "https://host/ x",
        "https://host/\nx",
        "http://host:port/x",
        "http://[::1/x",
    ],
)
def test_what_is_no_address_of_a_service_is_refused(address: str) -> None:
    with pytest.raises(LiveError):
        checked(address)


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("http://127.0.0.1:99999/query", "99999"),
        ("http://me:pw@host:0/query", "0"),
        ("http://host:port/x", "what follows the host"),
        ("http://me:99912/34567@host/x", "what follows the host"),
    ],
)
def test_a_port_that_is_none_is_named_as_the_fault(address: str, named: str) -> None:
    with pytest.raises(LiveError, match=f": {named} is no port; expected a number from 1 to 65535"):
        checked(address)


def test_secrets_are_not_shown() -> None:
    assert checked(NAMED) == NAMED
    assert shown(NAMED) == "https://host.example:8443/sparql"
    assert shown("http://[::1]:80/x?y") == "http://[::1]:80/x"


def test_user_and_password_are_taken_out_of_what_is_sent() -> None:
    assert without_user(NAMED) == ("https://host.example:8443/sparql?token=s3cret", ("me", "pa:ss"))
    assert without_user("http://host/x") == ("http://host/x", None)


def test_a_service_that_repeats_a_secret_is_not_quoted() -> None:
    said = redacted("no user me with pa:ss, token=s3cret", NAMED)
    assert "pa:ss" not in said and "s3cret" not in said


@pytest.mark.parametrize(
    ("source", "target", "may"),
    [
        ("http://a/x", "https://b/y", True),
        ("https://a/x", "http://a/x", False),
        ("http://a/x", "file:///etc/passwd", False),
        ("http://a/x", "http:///y", False),
    ],
)
def test_where_a_redirect_may_lead(source: str, target: str, may: bool) -> None:
    assert may_lead(source, target) is may


@given(st.text(alphabet=st.characters(codec="ascii", categories=("L", "N")), min_size=6))
def test_no_password_is_ever_shown(password: str) -> None:
    assert f":{password}@" not in shown(f"https://user:{password}@host.example/path?{password}")


@pytest.mark.parametrize(
    ("address", "clear"),
    [
        ("http://host.example/sparql", True),
        ("http://10.0.0.1:8080", True),
        ("http://localhost.example/", True),
        ("https://host.example/sparql", False),
        ("http://localhost:8080", False),
        ("http://127.0.0.2/", False),
        ("http://[::1]:80/", False),
    ],
)
def test_no_password_goes_to_another_machine_in_the_clear(address: str, clear: bool) -> None:
    assert in_the_clear(address) is clear
    assert checked(address) == address
    named = address.replace("//", "//me:s3cret@")
    if not clear:
        assert checked(named) == named
        return
    with pytest.raises(LiveError, match="over plain http.*https address") as error:
        checked(named)
    assert "s3cret" not in str(error.value)
