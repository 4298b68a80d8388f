"""The built-in model, loaded once for all tests: its graph takes a second to build."""

from pathlib import Path

import pytest

from memoryapp.providers.e5 import E5


@pytest.fixture(scope="session")
def model_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def e5(model_cache: Path) -> E5:
    return E5(cache=model_cache)
