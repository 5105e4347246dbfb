import type { PlantRequest, TestName } from "../../core/test-report/index.ts";

/** What is planted below a module or a class: tests as title, name of the original's function and way to fail. */
interface Plan {
  readonly tests: (readonly [title: string, original: string, failsBy: string])[];
  readonly suites: Record<string, Plan>;
  /** Of a class: what its twin must not inherit, so that no real test runs twice. */
  readonly hidden: string[];
}

/**
 * A file of pytest with must-fail tests appended, or null. pytest names a test by its key in the module: a key that to
 * pytest equals nothing but itself gives a second test of the same name, and a class is doubled by one that inherits its
 * set-up alone. To all other code the key is the name.
 */
export function plantPytestCanary({ path, text, planted, seed, beside }: PlantRequest): string | null {
  if (!path.endsWith(".py") || planted.length === 0) return null;
  const plans = planNamesakes(planted);
  for (const plan of plans) hideReal(plan, beside);
  return `${text}\n\n${plantCode(freeName(text, seed), plans)}`;
}

/**
 * Whether a test is a function, or one of a class, that the file defines, imports or names. Plug-ins make tests of docstrings,
 * features and whole files; what these would take for a test is not known.
 */
export function canTwinPytest(text: string, { suite, title }: TestName): boolean {
  const [first = functionOf(title)] = suite;
  if (!/^\w+$/u.test(first)) return false;
  const defined = new RegExp(String.raw`^\s*${suite.length > 0 ? "class" : "(?:async\\s+)?def"}\s+${first}\b`, "mu");
  const brought = new RegExp(String.raw`^(?:(?:from\s.*)?import\s.*\b${first}\b|${first}\s*=)`, "mu");
  return defined.test(text) || brought.test(text);
}

/** A class holds a name once: the second of a name goes into the second plan, which doubles the class again. */
function planNamesakes(planted: PlantRequest["planted"]): readonly Plan[] {
  const plans: Plan[] = [];
  const seen = new Map<string, number>();
  for (const { suite, title, fails_by } of planted) {
    const key = JSON.stringify([suite, title]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    planOf((plans[before] ??= emptyPlan()), suite).tests.push([title, functionOf(title), fails_by]);
  }
  return plans;
}

const emptyPlan = (): Plan => ({ tests: [], suites: Object.create(null) as Record<string, Plan>, hidden: [] });

const planOf = (plan: Plan, suite: readonly string[]): Plan =>
  suite.reduce((at, name) => (at.suites[name] ??= emptyPlan()), plan);

/** `test_x` of `test_x[1-a]`. */
const functionOf = (title: string): string => title.split("[", 1)[0] ?? title;

function hideReal(plan: Plan, names: readonly TestName[]): void {
  for (const [suite, inner] of Object.entries(plan.suites)) {
    const within = names.flatMap((one) => (one.suite[0] === suite ? [{ ...one, suite: one.suite.slice(1) }] : []));
    inner.hidden.push(...new Set(within.map((one) => one.suite[0] ?? functionOf(one.title))));
    hideReal(inner, within);
  }
}

/** A name that stands nowhere in the file. */
function freeName(text: string, seed: string): string {
  let name = `plant_${seed.replace(/[^0-9a-z]/giu, "").slice(-10)}`;
  while (text.includes(name)) name += "_";
  return name;
}

/** JSON in ASCII, as a literal of Python, whatever encoding the file declares. */
function asLiteral(plans: readonly Plan[]): string {
  const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(JSON.stringify(plans).replace(/[^\x20-\x7e]/gu, (one) => one.split("").map(escaped).join("")));
}

/** Leaves no name behind in the module, and takes no builtin by a name that the module may have given to something else. */
function plantCode(name: string, plans: readonly Plan[]): string {
  return `def ${name}(text):
    import builtins as b, json, sys
    class Key(b.str):
        __hash__ = b.str.__hash__
        def __eq__(self, other):
            asker = sys._getframe().f_back
            alone = not planted or not asker or b.str(asker.f_globals.get("__name__")).startswith("_pytest.")
            return self is other if alone else b.str.__eq__(self, other)
    def test(fails_by, original):
        def asserts(*_):
            assert "a" == "b"
        def throws(*_):
            raise b.Exception("no")
        made = asserts if fails_by == "assertion" else throws
        marks = b.getattr(original, "pytestmark", None) or []
        marks = marks if b.isinstance(marks, b.list) else [marks]
        ours = ("parametrize", "skip", "skipif", "xfail", "flaky")
        made.pytestmark = [mark for mark in marks if b.getattr(mark, "name", None) not in ours]
        return made
    def suite(name, plan, original):
        found = lambda key: b.getattr(original, key, None)
        body = {**{key: None for key in plan["hidden"]}, **below(plan, found)}
        if b.isinstance(original, b.type):
            body["__module__"] = original.__module__
            try:
                return b.type(original)(name, (original,), body)
            except b.Exception:
                pass
        return b.type(name, (), body)
    def below(plan, found):
        made = {title: test(fails_by, found(original)) for title, original, fails_by in plan["tests"]}
        return {**made, **{name: suite(name, one, found(name)) for name, one in plan["suites"].items()}}
    module, planted = b.globals(), []
    for plan in [below(one, module.get) for one in json.loads(text)]:
        for name, one in plan.items():
            module[Key(name)] = one
    planted.append(True)
${name}(${asLiteral(plans)})
del ${name}
`;
}

/**
 * A title of words as a test's name. It begins and ends as a real one of the file does, since a configuration may say which
 * names are tests.
 */
export function namePytestStray(title: string, beside: readonly TestName[]): string {
  const model = functionOf(beside.find((one) => one.suite.length === 0)?.title ?? beside[0]?.title ?? "test");
  const parts = model.split("_").filter((part) => part !== "");
  const words = title.replace(/[^0-9a-z]+/giu, "_");
  const last = parts.length > 1 ? `_${parts.at(-1) ?? ""}` : "";
  return `${/^[a-z]+/u.exec(parts[0] ?? "")?.[0] ?? "test"}_${words}${last}`;
}

/** Whether the command runs only tests of some names or marks. */
export function filtersPytestTitles(args: readonly string[]): boolean {
  return args.some((word) => /^-[km]/u.test(word));
}
