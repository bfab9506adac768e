"""Fixtures shared by all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no fault of the code: no property is timed.
UNTIMED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
# Equal examples on every machine and in every run, so that no change meets a failure that is not its own.
settings.register_profile("fixed", UNTIMED, derandomize=True, database=None)
# New and more ones in each run: `make test-slow` looks for what nobody has seen. A failure found becomes an @example.
settings.register_profile("fresh", UNTIMED, max_examples=1000)
settings.load_profile("fixed")

REPO = Path(__file__).resolve().parent.parent
SHARED = REPO.parent / "shared"


@pytest.fixture(scope="session")
def repo() -> Path:
    return REPO


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data for tests, beside the checkout; tests that need it skip where it is missing."""
    folder = SHARED / "data"
    if not folder.is_dir():
        pytest.skip("real test data is not on this machine (expected a folder shared/data beside the checkout)")
    return folder


@pytest.fixture(scope="session")
def shared_models() -> Path:
    """Real small models, beside the checkout; tests that need them skip where they are missing."""
    folder = SHARED / "models"
    if not folder.is_dir():
        pytest.skip("models are not on this machine (expected a folder shared/models beside the checkout)")
    return folder
