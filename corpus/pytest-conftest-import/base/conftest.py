from hooks import pytest_runtest_makereport

__all__ = ["pytest_runtest_makereport"]
