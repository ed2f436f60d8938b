"""On a build server nothing may be left out for want of a package: the environment is supposed to hold them all."""

import os

import pytest
from hypothesis import settings

# The first example may have to wait for the compiler, which says nothing about the code under test. A build server says the
# same of the same commit every time; everybody else searches on at random.
settings.register_profile("patient", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("patient")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if "CI" not in os.environ or reporter is None:
        return
    missing = [report for report in reporter.stats.get("skipped", []) if "could not import" in str(report.longrepr)]
    if missing and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter.write_line(f"{len(missing)} tests were skipped for want of a package, which CI does not allow.", red=True)
