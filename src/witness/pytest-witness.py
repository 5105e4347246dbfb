"""The witness for pytest 7, 8 and 9: starts pytest and says over the executor's channel what it saw.

Started as `python -I -B pytest-witness.py ARGUMENTS`, so that nothing of the repository, of the environment or of the
current directory can stand in for a module that is imported here. It decides nothing: states, identities and counts are
worked out by the executor from these frames. pytest runs the tests in this very process: code that sets out to can
speak in the witness's name, which the report says. One frame is what `pre.cjs` describes.
"""

import ast
import hashlib
import hmac
import importlib.metadata
import json
import os
import stat
import struct
import sys

KEY_BYTES = 32
DEAD_CHANNEL = 98
ERROR_LIMIT = 2000
ERRORS_PER_ENTITY = 20


def open_channel():
    """Reads the key that the executor wrote and gives the function that sends one message."""
    descriptor = int(os.environ.pop("TRUEUP_CHANNEL", "-1"))
    try:
        sound = descriptor > 2 and stat.S_ISSOCK(os.fstat(descriptor).st_mode)
    except OSError:
        sound = False
    if not sound:
        sys.stderr.write("trueup: the witness's channel is not a socket\n")
        sys.exit(DEAD_CHANNEL)
    # No program that a test starts inherits it.
    os.set_inheritable(descriptor, False)
    key = b""
    while len(key) < KEY_BYTES:
        part = os.read(descriptor, KEY_BYTES - len(key))
        if not part:
            sys.stderr.write("trueup: the witness's channel closed before its key came\n")
            sys.exit(DEAD_CHANNEL)
        key += part
    return create_send(descriptor, key)


def create_send(descriptor, key):
    """What sends, bound before any code of the repository could replace it."""
    encode = json.JSONEncoder(ensure_ascii=True).encode
    write, new_hmac, sha256, pack = os.write, hmac.new, hashlib.sha256, struct.pack
    sequence = 0

    def send(message):
        nonlocal sequence
        payload = encode(message).encode("ascii")
        counter = pack(">Q", sequence)
        mac = new_hmac(key, counter + payload, sha256).digest()
        frame = memoryview(pack(">I", 8 + KEY_BYTES + len(payload)) + counter + mac + payload)
        sequence += 1
        while frame:
            frame = frame[write(descriptor, frame) :]

    return send


def text_of(report):
    """The last words of a failure, which name the exception."""
    crash = getattr(getattr(report, "longrepr", None), "reprcrash", None)
    return str(getattr(crash, "message", None) or report.longrepr or "failed")[:ERROR_LIMIT]


class Case:
    """One test: what it is, and every report that came for it."""

    def __init__(self, number, file, suite, title):
        self.number = number
        self.file = file
        self.suite = suite
        self.title = title
        self.outcomes = []
        self.raised = []
        self.errors = []
        self.unexpected_pass = False
        self.expected_failure = False
        self.retries = 0

    def add(self, report):
        outcome = report.outcome
        if outcome == "rerun":
            self.retries += 1
            return
        # A subtest that passed says nothing of its test.
        if hasattr(report, "context") and outcome != "failed":
            return
        expected = hasattr(report, "wasxfail")
        self.expected_failure |= expected and outcome == "skipped"
        self.unexpected_pass |= expected and outcome == "passed"
        self.outcomes.append((report.when, outcome))
        if outcome == "failed":
            self.errors.append(text_of(report))

    def state(self):
        outcomes = [outcome for _, outcome in self.outcomes]
        if "failed" in outcomes:
            return "failed"
        if "skipped" in outcomes:
            return "skipped"
        return "passed" if ("call", "passed") in self.outcomes else "pending"

    def raw(self):
        state = self.state()
        errors = self.errors
        if state == "passed":
            errors = ["it raised " + name + " and was reported as passed" for name in self.raised]
        return {
            "id": str(self.number),
            "project": "",
            "file": self.file,
            "suite": self.suite,
            "title": self.title,
            "state": state,
            "mode": ("xfail" if self.expected_failure else "skip") if state == "skipped" else "run",
            "fails": self.unexpected_pass,
            "retries": self.retries,
            "errors": errors[:ERRORS_PER_ENTITY],
        }


def imports_of(file, name, package):
    """The modules that a source file names in its imports, as full names; for a package, of its own directory."""
    try:
        with open(file, "rb") as stream:
            tree = ast.parse(stream.read())
    except (OSError, SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            parts = (name if package else name.rpartition(".")[0]).split(".") if node.level else []
            parts = parts[: len(parts) - node.level + 1] if node.level else parts
            base = ".".join(part for part in [*parts, node.module] if part)
            found += [base] + [base + "." + alias.name if base else alias.name for alias in node.names]
    return found


class Witness:
    """A plugin of pytest's own kind; its hooks only look."""

    def __init__(self, send):
        self.send = send
        self.serial = 0
        self.cases = {}
        self.planned = {}
        self.module_errors = {}
        self.skipped_modules = []
        self.unhandled = []
        self.config = None
        self.terminal = None
        self.started = False

    def file_of(self, nodeid):
        """The absolute file of a node by its id, which is relative to pytest's root."""
        return os.path.normpath(os.path.join(str(self.config.rootpath), nodeid.split("::")[0]))

    # Loaded last of all that is installed and first of all that is the repository's: packages that only pretend to be
    # installed, lying in the tree, give pytest no plug-in.
    def pytest_load_initial_conftests(self):
        if os.getcwd() not in sys.path:
            sys.path.insert(0, os.getcwd())

    def pytest_sessionstart(self, session):
        self.config = session.config
        self.terminal = session.config.pluginmanager.getplugin("terminalreporter")
        option = session.config.option
        self.started = True
        self.send(
            {
                "type": "init",
                "version": 1,
                "runner": {"name": "pytest", "version": importlib.metadata.version("pytest")},
                "projects": [
                    {
                        "python": sys.version.split()[0],
                        "isolated": bool(sys.flags.isolated),
                        "workers": bool(getattr(option, "numprocesses", None) or getattr(option, "tx", None)),
                        "configFile": str(session.config.inipath) if session.config.inipath else None,
                    }
                ],
            }
        )

    def pytest_collectreport(self, report):
        if report.outcome == "passed" or not report.nodeid:
            return
        file = self.file_of(report.nodeid)
        if report.outcome == "failed":
            self.module_errors.setdefault(file, []).append(text_of(report))
        elif "::" not in report.nodeid:
            self.skipped_modules.append(file)

    def pytest_collection_finish(self, session):
        for item in session.items:
            names = [node.name for node in item.listchain() if node.nodeid.startswith(item.nodeid.split("::")[0] + "::")]
            suite = names[:-1]
            case = self.new_case(self.file_of(item.nodeid), suite, item.name)
            self.planned.setdefault(item.nodeid, []).append(case)
        files = dict.fromkeys([*self.files(), *self.module_errors])
        modules = [{"project": "", "file": file, "pool": "main"} for file in files]
        self.send({"type": "start", "modules": modules})
        for file in self.skipped_modules:
            self.finish(self.module_case(file))

    def new_case(self, file, suite, title):
        self.serial += 1
        return Case(self.serial, file, suite, title)

    def files(self):
        """The files that hold a planned test, or skipped themselves."""
        return [case.file for cases in self.planned.values() for case in cases] + self.skipped_modules

    def module_case(self, file):
        """A whole file that skipped itself, as one test without a name that was skipped."""
        case = self.new_case(file, [], "")
        case.outcomes.append(("setup", "skipped"))
        return case

    def current(self, nodeid):
        """The first planned test of that id which has not ended."""
        return next((case for case in self.planned.get(nodeid, []) if case.number not in self.cases), None)

    def pytest_warning_recorded(self, warning_message):
        """A thread that died of an exception is a warning for pytest, and fails nothing."""
        if warning_message.category.__name__ == "PytestUnhandledThreadExceptionWarning":
            self.unhandled.append(str(warning_message.message)[:ERROR_LIMIT])

    def pytest_runtest_logreport(self, report):
        case = self.current(report.nodeid)
        if case is not None:
            case.add(report)

    def pytest_runtest_logfinish(self, nodeid):
        case = self.current(nodeid)
        if case is not None:
            self.finish(case)

    def finish(self, case):
        self.cases[case.number] = case
        self.send({"type": "case", "case": case.raw()})

    # As close to the test's own code as pytest lets a plug-in be; `main` marks them so.
    def pytest_runtest_setup(self, item):
        self.watch(item, (yield))

    def pytest_runtest_call(self, item):
        self.watch(item, (yield))

    def pytest_runtest_teardown(self, item):
        self.watch(item, (yield))

    def watch(self, item, outcome):
        """What really happened: hooks further out may call it something else."""
        case = self.current(item.nodeid)
        if case is None:
            return
        if outcome.excinfo is not None:
            case.raised.append(outcome.excinfo[0].__name__)
        for info in getattr(item, "_excinfo", None) or []:
            case.raised.append(getattr(info, "typename", "an error"))

    def counts(self, cases):
        """Counted from pytest's own summary, apart from the lists; without one there is nothing to compare with."""
        stats = getattr(self.terminal, "stats", None)
        if stats is None:
            states = [case["state"] for case in cases]
            return {"cases": len(states), "passed": states.count("passed"), "failed": states.count("failed")}

        def ids(*names):
            reports = [report for name in names for report in stats.get(name, [])]
            return {report.nodeid for report in reports if getattr(report, "when", None) in ("setup", "call", "teardown")}

        failed = ids("failed", "error", "subtests failed")
        passed = ids("passed", "xpassed") - failed
        skipped = ids("skipped", "xfailed") - failed - passed
        counts = {
            "cases": len(failed | passed | skipped) + len(self.skipped_modules),
            "passed": len(passed),
            "failed": len(failed),
        }
        for nodeid, same in self.planned.items():
            if len(same) > 1:
                self.recount(counts, stats, nodeid)
        return counts

    def recount(self, counts, stats, nodeid):
        """Several tests of one name: each has one report by which it passed or did not."""

        def reports(when, *names):
            found = [report for name in names for report in stats.get(name, []) if report.nodeid == nodeid]
            return sum(getattr(report, "when", None) in when for report in found)

        passed = reports(("call",), "passed", "xpassed")
        failed = reports(("setup", "call"), "failed", "error")
        late = max(0, reports(("teardown",), "error") - failed)
        skipped = reports(("setup", "call"), "skipped", "xfailed")
        counts["cases"] += passed + failed + skipped - 1
        counts["passed"] += passed - late - (0 if failed + late or not passed else 1)
        counts["failed"] += failed + late - (1 if failed + late else 0)

    def closure(self):
        """Files of the repository that steer pytest: its configuration, plug-ins, conftest files and what they import."""
        manager = self.config.pluginmanager
        own = tuple(os.path.join(place, "") for place in {sys.prefix, sys.base_prefix, os.path.dirname(__file__)})
        waiting = [plugin for plugin in manager.get_plugins() if getattr(plugin, "__file__", None)]
        seen = {}
        while waiting:
            module = waiting.pop()
            file = getattr(module, "__file__", None)
            if not isinstance(file, str) or file in seen or file.startswith(own):
                continue
            seen[file] = True
            names = imports_of(file, module.__name__, hasattr(module, "__path__"))
            beside = os.path.dirname(file)
            for name in names:
                found = sys.modules.get(name)
                if found is not None:
                    waiting.append(found)
                # A conftest's own directory is importable: the same module may be known by another name.
                top = os.path.join(beside, name.split(".")[-1] + ".py")
                if os.path.isfile(top):
                    waiting += [m for m in list(sys.modules.values()) if getattr(m, "__file__", None) == top]
        return [*seen, *([str(self.config.inipath)] if self.config.inipath else [])]

    def end(self, code):
        if not self.started:
            return
        left = [case for same in self.planned.values() for case in same if case.number not in self.cases]
        files = list(dict.fromkeys([*self.files(), *self.module_errors]))
        # After a file that did not load pytest runs nothing: the other files are pending, and had no case yet.
        loaded = not self.module_errors
        cases = [case.raw() for case in [*self.cases.values(), *(left if loaded else [])]]
        ended = {case.file for case in self.cases.values()}
        modules = [self.module(file, file in ended) for file in files]
        for module in modules:
            self.send({"type": "module", "module": module})
        bad = any(case["state"] == "failed" for case in cases) or any(module["errors"] for module in modules)
        reasons = {0: "passed", 1: "failed", 2: "interrupted"}
        reason = "interrupted" if left or code == 2 else "failed" if bad else reasons.get(code, "unknown")
        self.send(
            {
                "type": "end",
                "reason": reason,
                "cases": cases,
                "modules": modules,
                "unhandled": self.unhandled,
                "counts": self.counts(cases),
                "closure": self.closure(),
            }
        )

    def module(self, file, ended):
        errors = self.module_errors.get(file, [])[:ERRORS_PER_ENTITY]
        if errors:
            state = "failed"
        elif file in self.skipped_modules:
            state = "skipped"
        else:
            state = "passed" if ended else "pending"
        return {"id": file, "project": "", "file": file, "state": state, "errors": errors}


def main():
    send = open_channel()
    arguments = sys.argv[1:]
    send({"type": "hello", "version": 1, "node": "python " + sys.version.split()[0], "argv": arguments})
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        os.environ.pop(name, None)
    import pytest

    if any(each.name == "xdist" for each in pytest_plugins()):
        arguments = [*arguments, "-n0"]
    innermost = pytest.hookimpl(hookwrapper=True, trylast=True)
    for hook in (Witness.pytest_runtest_setup, Witness.pytest_runtest_call, Witness.pytest_runtest_teardown):
        innermost(hook)
    plugin = Witness(send)
    sys.argv = ["pytest", *arguments]
    code = int(pytest.main(arguments, plugins=[plugin]))
    plugin.end(code)
    return code


def pytest_plugins():
    """The plug-ins that are installed beside pytest."""
    found = importlib.metadata.entry_points()
    return found.select(group="pytest11") if hasattr(found, "select") else found.get("pytest11", [])


if __name__ == "__main__":
    sys.exit(main())
