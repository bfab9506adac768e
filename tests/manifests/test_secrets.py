"""What is secret in an address is in nothing that is shown."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from manifests.manifest import ManifestError
from manifests.secrets import masked
from manifests.storage import Storage, StorageError
from pipelines.cli import main
from stages.core.contract import StageError
from stages.io.detect import SourceError


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("s3://KEY:SECRET@bucket/a", "s3://...@bucket/a"),
        ("built in s3://KEY:SECRET@bucket, 3 s", "built in s3://...@bucket, 3 s"),
        ("`--root 's3://KEY:SECRET@bucket'`", "`--root 's3://...@bucket'`"),
        ("GS://token@bucket", "GS://...@bucket"),
        ("ftp://u:p@h:21/x@y", "ftp://...@h:21/x@y"),
        ("s3://KEY:SE/CR?ET@bucket/a", "s3://...@bucket/a"),
        ("s3://u:a@b@bucket/a", "s3://...@bucket/a"),
        ("sparql:https://u:p@host/sparql?key=1", "sparql:https://...@host/sparql?key=..."),
        (
            "s3://bucket/a?access_key=K&secret_key=S&region=eu&endpoint_override=h:1&X-Amz-Signature=T",
            "s3://bucket/a?access_key=...&secret_key=...&region=eu&endpoint_override=h:1&X-Amz-Signature=...",
        ),
        ("s3://bucket/?endpoint_override=http%3A%2F%2Fu%3Ap%40h", "s3://bucket/?endpoint_override=..."),
        ("s3://A:B@one s3://C:D@two", "s3://...@one s3://...@two"),
        ("s3://bucket/user@example.org/a", "s3://bucket/user@example.org/a"),
        ("https://host:8080/a?title=B", "https://host:8080/a?title=B"),
        ("http://[::1]:80/a", "http://[::1]:80/a"),
        ("no such file: 's3:/KEY:SECRET@bucket'", "no such file: 's3:/...@bucket'"),
        ("C:/a/b: c@d", "C:/a/b: c@d"),
        ("no address: a@b, x://", "no address: a@b, x://"),
    ],
)
def test_an_address_is_shown_without_its_secrets(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert masked(shown) == shown


WORD = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=8)


@given(st.sampled_from(["s3", "gs", "http", "abfs", "hdfs"]), WORD, st.text("abc%/+=:", max_size=8), WORD)
def test_whatever_a_password_holds(scheme: str, user: str, password: str, host: str) -> None:
    assert masked(f"{scheme}://{user}:x{password}@{host}/a") == f"{scheme}://...@{host}/a"


@pytest.mark.parametrize("kind", [StorageError, StageError, ManifestError, SourceError])
def test_no_error_of_ours_says_one(kind: type[Exception]) -> None:
    assert str(kind("s3://KEY:SECRET@bucket: cannot be read")) == "s3://...@bucket: cannot be read"


@pytest.mark.parametrize("uri", ["s3://KEY:SE/CRET@bucket", "S4://KEY:SECRET@bucket", "s3://KEY:SECRET@", "gs://u:p@"])
def test_nor_one_about_an_address_that_is_none(uri: str) -> None:
    with pytest.raises(StorageError) as caught:
        Storage.at(uri)
    assert not {"SE/CRET", "SECRET", "KEY", "u:p"} & set(str(caught.value).replace("@", " ").replace(":", " ").split())


@pytest.mark.parametrize(
    "words",
    [
        ["build", "wiqa", "--root", "x9://KEY:SECRET@bucket"],
        ["build", "wiqa", "--source", "x9://KEY:SECRET@bucket"],
        ["build", "wiqa", "--annotations", "x9://KEY:SECRET@bucket"],
        ["plan", "qampari", "--templates", "x9://KEY:SECRET@bucket"],
        ["plan", "qampari", "--source", "sparql:x9://KEY:SECRET@bucket"],
        ["plan", "qampari", "--recipe", "x9://KEY:SECRET@bucket", "--source", "sparql:https://KEY:SECRET@host/"],
        ["plan", "qampari", "--params", "x9://KEY:SECRET@bucket"],
        ["status", "--root", "x9://KEY:SECRET@bucket"],
        ["show", "wiqa", "--root", "x9://KEY:SECRET@bucket"],
        ["diff", "x9://KEY:SECRET@bucket", "x9://KEY:SECRET@bucket"],
        ["export", "wiqa", "--root", "x9://KEY:SECRET@bucket", "--out", "release"],
        ["export", "wiqa", "--out", "x9://KEY:SECRET@bucket"],
        ["verify", "--root", "x9://KEY:SECRET@bucket"],
        ["clean", "--root", "x9://KEY:SECRET@bucket"],
        ["tasks", "wiqa", "--root", "x9://KEY:SECRET@bucket", "--out", "tasks"],
        ["people", "wiqa", "--root", "x9://KEY:SECRET@bucket"],
        ["analyse", "ifqa", "--root", "x9://KEY:SECRET@bucket"],
        ["picture", "wiqa", "a", "--root", "x9://KEY:SECRET@bucket", "--out", "a.svg"],
        ["evaluate", "wiqa", "x9://KEY:SECRET@bucket", "x9://KEY:SECRET@bucket"],
        ["probe", "x9://KEY:SECRET@bucket"],
        ["calibrate", "x9://KEY:SECRET@bucket"],
    ],
    ids=" ".join,
)
def test_no_command_prints_one(words: list[str]) -> None:
    said = CliRunner().invoke(main, words)
    assert said.exit_code == 2
    assert "SECRET" not in said.output and "KEY" not in said.output
