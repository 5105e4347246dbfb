import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunFacts } from "../../src/core/facts/index.ts";
import { plantPytestCanary } from "../../src/runners/pytest/canary.ts";
import { openToolchainBench, type ToolchainBench } from "./toolchain-bench.ts";
import type { BenchRun } from "./vitest-bench.ts";

const passing = "def test_good():\n    assert True\n";
const hidden = "\ndef test_hidden():\n    assert 1 == 2\n";
const states = (run: RunFacts): Record<string, string> =>
  Object.fromEntries(run.cases.map((item) => [[...item.suite, item.title].join(" > "), item.state]));
const codes = (run: RunFacts): string[] => run.faults.map((fault) => fault.code);
/** Evidence that would pass: no fault, exit 0, ended as passed, every test passed. */
const isBelieved = (run: RunFacts): boolean =>
  run.faults.length === 0 &&
  run.exit.code === 0 &&
  run.reason === "passed" &&
  run.unhandled.length === 0 &&
  run.cases.length > 0 &&
  run.cases.every((item) => item.state === "passed" && item.errors.length === 0);

describe("pytest in the clean room", () => {
  let bench: ToolchainBench;
  const facts = async (run: BenchRun): Promise<RunFacts> => (await bench.run(run)).facts;

  beforeAll(async () => {
    // The system's own first: others bring plug-ins that cost a second a run.
    const searchPath = `/usr/bin:${process.env["PATH"] ?? ""}`;
    bench = await openToolchainBench({ command: "python3 -m pytest", node: ">=22.13", python: true, searchPath });
    if (bench.toolchain.python === null) throw new Error("no python3 with pytest: apt-get install python3-pytest");
  });
  afterAll(() => bench.close());

  it("[E5] counts and identities come over the witness's channel, and nothing is written into the tree", async () => {
    const test = `import unittest, pytest, product, os
def test_plain(): assert product.two == 2
@pytest.mark.parametrize("x", [1, "a::b"])
def test_each(x): assert x
class TestOuter:
    class TestInner:
        def test_deep(self): assert True
class TestUnit(unittest.TestCase):
    def test_method(self): self.assertEqual(1, 1)
def test_environment():
    assert not [name for name in os.environ if name.startswith("TRUEUP")]
`;
    const { facts: run, closure } = await bench.run({
      files: {
        "product.py": "two = 2\n",
        "tests/test_a.py": test,
        "tests/conftest.py": "import hooks\n",
        "tests/hooks.py": "import deeper\n",
        "tests/deeper.py": "",
        "pytest.ini": "[pytest]\n",
      },
    });
    expect(run).toMatchObject({ exit: { code: 0, error: null }, faults: [], reason: "passed", unhandled: [] });
    expect(run).toMatchObject({ assertions_required: false, declared_argv: ["python3", "-m", "pytest"] });
    expect(run.second_witness).toBe("agrees");
    expect(run.runner.name).toBe("pytest");
    expect(run.runner.version).toBe(bench.toolchain.python?.pytestVersion);
    expect(run.cases.map((item) => [item.file, ...item.suite, item.title].join(" "))).toEqual([
      "tests/test_a.py test_plain",
      "tests/test_a.py test_each[1]",
      "tests/test_a.py test_each[a::b]",
      "tests/test_a.py TestOuter TestInner test_deep",
      "tests/test_a.py TestUnit test_method",
      "tests/test_a.py test_environment",
    ]);
    expect(isBelieved(run)).toBe(true);
    expect(closure).toEqual(["pytest.ini", "tests/conftest.py", "tests/deeper.py", "tests/hooks.py"]);
  });

  it("[E14] skipped, expected and unexpected outcomes are none of them passes", async () => {
    const test = `import pytest
def test_plain(): pass
@pytest.mark.skip
def test_skip(): pass
def test_skips_itself(): pytest.skip("why")
@pytest.mark.xfail
def test_xfail(): assert 0
@pytest.mark.xfail
def test_xpass(): assert 1
@pytest.mark.xfail(strict=True)
def test_strict(): assert 1
@pytest.fixture
def late():
    yield
    raise ValueError("teardown")
def test_teardown(late): pass
@pytest.fixture
def early(): raise ValueError("setup")
def test_setup(early): pass
`;
    const run = await facts({
      files: { "test_a.py": test, "test_b.py": `import pytest\npytest.skip("all", allow_module_level=True)\n` },
    });
    expect(states(run)).toEqual({
      "": "skipped",
      test_plain: "passed",
      test_skip: "skipped",
      test_skips_itself: "skipped",
      test_xfail: "skipped",
      test_xpass: "expected-failure",
      test_strict: "failed",
      test_teardown: "failed",
      test_setup: "failed",
    });
    expect(run.faults).toEqual([]);
    expect(run.reason).toBe("failed");
  });

  it("[E12] must-fail tests fail beside the real ones of their names, which still pass", async () => {
    const test = `import unittest, pytest
pytestmark = pytest.mark.filterwarnings("default")
list = str = type = globals = None
@pytest.fixture(autouse=True)
def each(): yield
@pytest.mark.parametrize("x", ["a", "b c"])
def test_each(x): assert x
@pytest.mark.usefixtures("each")
def test_plain(): assert 1
class TestOuter:
    @classmethod
    def setup_class(cls): cls.two = 2
    def setup_method(self): self.three = self.two + 1
    def test_shallow(self): assert self.three == 3
    def test_other(self): assert self.two == 2
class TestHolder:
    class TestInner:
        def test_deep(self): assert True
class TestUnit(unittest.TestCase):
    def setUp(self): self.one = 1
    def test_method(self): self.assertEqual(self.one, 1)
    def test_unplanted(self): self.assertEqual(self.one, 1)`;
    const beside = [
      { suite: [], title: "test_each[a]" },
      { suite: [], title: "test_each[b c]" },
      { suite: [], title: "test_plain" },
      { suite: ["TestOuter"], title: "test_shallow" },
      { suite: ["TestOuter"], title: "test_other" },
      { suite: ["TestHolder", "TestInner"], title: "test_deep" },
      { suite: ["TestUnit"], title: "test_method" },
      { suite: ["TestUnit"], title: "test_unplanted" },
    ];
    const twins = beside.filter((one) => !/other|unplanted/u.test(one.title));
    const planted = twins.flatMap((one) => [
      { ...one, kind: "twin", fails_by: "assertion" } as const,
      { ...one, kind: "twin", fails_by: "throw" } as const,
    ]);
    const code = plantPytestCanary({ path: "test_a.py", text: test, planted, seed: "0f", beside });
    const run = await facts({
      files: { "test_a.py": code ?? "", "test_b.py": passing, "pytest.ini": "[pytest]\naddopts = -x\n" },
    });
    expect([run.faults, run.second_witness]).toEqual([[], "agrees"]);
    const named = (state: string): string[] =>
      run.cases
        .filter((one) => one.state === state)
        .map((one) => [...one.suite, one.title].join(" > "))
        .toSorted();
    const names = (all: typeof beside): string[] => all.map((one) => [...one.suite, one.title].join(" > ")).toSorted();
    expect(named("failed")).toEqual(names([...twins, ...twins]));
    expect(named("passed")).toEqual([...names(beside), "test_good"].toSorted());
  });

  it("a file, a node id, an expression and a marker select what they name", async () => {
    const files = { "test_a.py": `${passing}${hidden}`, "test_b.py": hidden };
    for (const command of ["pytest test_a.py::test_good", "py.test -q -k good", "python -m pytest -k=good test_a.py"]) {
      const run = await facts({ files, entry: { command } });
      expect([command, states(run), codes(run), run.exit.code]).toEqual([command, { test_good: "passed" }, [], 0]);
    }
  });

  it.each<[string, BenchRun["files"], Partial<RunFacts>, string[]]>([
    [
      "a failing test",
      { "test_a.py": passing + hidden },
      { exit: { code: 1, error: null, signal: null }, reason: "failed" },
      [],
    ],
    [
      "a file that does not load",
      { "test_a.py": passing, "test_b.py": "import gone\n" },
      { exit: { code: 2, error: null, signal: null }, reason: "interrupted" },
      [],
    ],
    ["no test at all", { "a.py": "" }, { exit: { code: 5, error: null, signal: null }, cases: [] }, []],
    [
      "pytest.exit with code 0",
      { "test_a.py": `import pytest\ndef test_ends(): pytest.exit("done", returncode=0)\n${hidden}` },
      { exit: { code: 0, error: null, signal: null }, reason: "interrupted" },
      ["lists-differ", "counts-differ", "exit-differs", "second-witness-differs"],
    ],
    [
      "os._exit(0)",
      { "test_a.py": `import os\n${passing}\ndef test_ends(): os._exit(0)\n${hidden}` },
      { exit: { code: 0, error: null, signal: null } },
      ["end-missing"],
    ],
    [
      "os._exit(0) at import",
      { "test_a.py": `import os\nos._exit(0)\n` },
      { exit: { code: 0, error: null, signal: null } },
      ["end-missing"],
    ],
    [
      "sys.exit(0) in a test",
      { "test_a.py": `import sys\n${passing}\ndef test_ends(): sys.exit(0)\n` },
      { reason: "failed" },
      [],
    ],
    [
      "a crash of the interpreter",
      { "test_a.py": `import ctypes\n${passing}\ndef test_crash(): ctypes.string_at(0)\n` },
      {},
      ["end-missing"],
    ],
    [
      "a thread that dies",
      {
        "test_a.py": `import threading\ndef test_t():\n    t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()\n`,
      },
      {},
      ["exit-differs"],
    ],
  ])("[E7] %s is not believed", async (_name, files, expected, faults) => {
    const run = await facts({ files });
    expect(isBelieved(run)).toBe(false);
    expect(run).toMatchObject(expected);
    expect(codes(run)).toEqual(faults);
  });

  it("[E7] sys.exit(0) at import is not believed, whether pytest takes it for an error or ends", async () => {
    const run = await facts({ files: { "test_a.py": `import sys\nsys.exit(0)\n`, "test_b.py": passing } });
    expect(isBelieved(run)).toBe(false);
  });

  it.each<[string, BenchRun["files"]]>([
    [
      "rewrites the outcome of a test",
      {
        "conftest.py": `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    o = yield; r = o.get_result(); r.outcome = "passed"; r.longrepr = None\n`,
      },
    ],
    [
      "swallows what a test raises",
      {
        "conftest.py": `import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_call(item):\n    o = yield; o.force_result(None)\n`,
      },
    ],
    ["rewrites the exit status", { "conftest.py": `def pytest_sessionfinish(session): session.exitstatus = 0\n` }],
    ["leaves the process in an exit hook", { "conftest.py": `import os\ndef pytest_unconfigure(): os._exit(0)\n` }],
    [
      "removes the witness",
      {
        "conftest.py": `def pytest_configure(config):\n    for p in list(config.pluginmanager.get_plugins()):\n        if type(p).__name__ == "Witness": config.pluginmanager.unregister(p)\n`,
      },
    ],
  ])("[E12] a conftest that %s is not believed, by the evidence alone", async (_name, files) => {
    expect(isBelieved(await facts({ files: { "test_a.py": hidden, ...files } }))).toBe(false);
  });

  it("[E12] modules, plug-ins and start-up files of the tree do not come before pytest's own", async () => {
    const evil = `import os\nos._exit(0)\n`;
    const names = ["hmac", "hashlib", "json", "pytest", "sitecustomize", "usercustomize", "evil", "pytest_witness"];
    const shadows = Object.fromEntries(names.map((name) => [`${name}.py`, evil]));
    const run = await facts({
      files: {
        ...shadows,
        "_pytest/__init__.py": evil,
        "evil-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n",
        "evil-1.0.dist-info/entry_points.txt": "[pytest11]\nevil = evil\n",
        "test_a.py": passing,
      },
    });
    expect(isBelieved(run)).toBe(true);
  });

  it("[E12] no program that a test starts has the channel", async () => {
    const look = `import os, stat; print([fd for fd in range(3, 64) if os.path.exists("/dev/null") and is_socket(fd)])`;
    const test = `import subprocess, sys
CODE = """
import os, stat
def is_socket(fd):
    try: return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError: return False
${look}
"""
def test_child():
    out = subprocess.run([sys.executable, "-c", CODE], close_fds=False, capture_output=True, text=True)
    assert out.stdout.strip() == "[]", out
`;
    expect(isBelieved(await facts({ files: { "test_a.py": test } }))).toBe(true);
  });

  it("[E12] writing to the witness's descriptor from test code is a fault, 20 of 20", async () => {
    const attack = (round: number): string => `import os
def test_writes():
    for fd in range(3, 64):
        try: os.write(fd, ${round % 2 === 0 ? `b"A" * ${97 + round}` : `bytes([0, 0, 0, ${40 + round}]) + bytes(${40 + round})`})
        except OSError: pass
`;
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      if (!isBelieved(await facts({ files: { "test_a.py": attack(round) } }))) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  it("[E12] rewriting what lies at the report's path is never believed, 20 of 20", async () => {
    const attack = (round: number): string => `import glob, os
def test_rewrites():
    for line in open("/proc/self/stat"): pass
    for path in ["/opt/trueup/report.json", *glob.glob("/proc/*/cmdline"), *glob.glob("/opt/trueup/**", recursive=True)]:
        try:
            with open(path, "w") as f: f.write("<testsuites tests='${round}'/>")
        except OSError: pass
${hidden}`;
    let blocked = 0;
    for (let round = 0; round < 20; round += 1) {
      if (!isBelieved(await facts({ files: { "test_a.py": attack(round) } }))) blocked += 1;
    }
    expect(blocked).toBe(20);
  });

  /*
   * The tests share the witness's process: what sets out to can find its function and speak in its name. Believed by the
   * evidence alone, on purpose shown here; it is why pytest never gives more than grade B.
   */
  it("code that looks for the witness in memory is believed, which the grade says", async () => {
    const attack = `import gc, os
def test_hidden():
    w = next(o for o in gc.get_objects() if type(o).__name__ == "Witness")
    for case in w.planned.values():
        for one in case: one.outcomes = [("call", "passed")]; w.finish(one)
    w.counts = lambda cases: {"cases": len(cases), "passed": len(cases), "failed": 0}
    w.end(0)
    os._exit(0)
`;
    expect(isBelieved(await facts({ files: { "test_a.py": attack } }))).toBe(true);
  });
});
