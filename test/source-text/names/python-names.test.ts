import { expect, it } from 'vitest';
import {
  isCast,
  isInAll,
  isQuotedType,
  memberListAt,
  onlyImportOf,
  pythonReceiverAt,
  variableNamedBy,
} from '../../../src/source-text/names/python-names.ts';

it.each([
  ['from a import x\n\nx()\n', 'x', 'a'],
  ['from a import (\n    y,\n    x,\n)\n\nself.x = 1\nf(1, x == 2)\n', 'x', 'a'],
  ['import a.b as m\n\nm.x()\n', 'm', 'a.b'],
  ['import a.b\n\na.b.x()\n', 'a.b', 'a.b'],
  ['from a import x\n# x = 1\n', 'x', 'a'],
  ['from a import x\ndef f(y: x, z=x) -> x: pass\n', 'x', 'a'],
])('%j: only an import binds %s', (text, name, module) => {
  expect(onlyImportOf('a.py', text, name)?.module).toBe(module);
});

it.each([
  'x()\n',
  'from a import x\nx = 1\n',
  'from a import x\nx, y = 1, 2\n',
  'from a import x\nx: int = 1\n',
  'from a import x\nx += 1\n',
  'from a import x\ndef x(): pass\n',
  'from a import x\ndef f(y,\n      x): return x\n',
  'from a import x\ndef f(x: int): return x\n',
  'from a import x\ndef f(y: int, **x): return x\n',
  'from a import x\nf(lambda x: x)\n',
  'from a import x\n[x for y, x in z]\n',
  'from a import x\nwith f() as x: pass\n',
  'from a import x\nif (x := 1): pass\n',
  'from a import x\nfrom b import *\n',
  'try:\n    from a import x\nexcept ImportError:\n    from b import x\n',
])('%j: something else may bind the name', (text) => {
  expect(onlyImportOf('a.py', text, 'x')).toBeUndefined();
});

it.each([
  ['a.b.', 'a.b'],
  ['f(a.', 'a'],
  ['f().', undefined],
  ['"".', undefined],
  ['f(', undefined],
])('the receiver after %s is %s', (text, expected) => {
  expect(pythonReceiverAt('a.py', `${text}x`, text.length)).toBe(expected);
});

it.each([
  ['T = TypeVar("^T")', 0],
  ["T = t.TypeVar('^T', bound=int)", 0],
  ['Id: t.Any = NewType("^Id", int)', 0],
  ['import t\n\nT = t.TypeVar(\n    "^T", bound=int\n)', 10],
  ['T = 1\nU = TypeVar(\n    "^T"\n)', undefined],
  ['T = TypeVar("U", bound="^T")', undefined],
  ['T = make("^T")', undefined],
  ['U = TypeVar("^T")', undefined],
])('the variable whose name the string in %s must be: %s', (text, expected) => {
  const start = text.indexOf('^');
  const bare = text.replace('^', '');
  const end = start + (/^\w+/.exec(bare.slice(start))?.[0].length ?? 0);
  expect(variableNamedBy('a.py', bare, { start, end })).toBe(expected);
});

it.each([
  'def f(a: "Name") -> None:',
  "def f(a: 'Name' = None):",
  'def f(self, *all: "Name"):',
  '    ctx: "Name",',
  'def f() -> "Name":',
  'def f() -> "dict[str, Name | None]":',
  '    formatter_class: t.Type["Name"] = other',
  'Either = t.Union["Other", "Name"]',
  'x = t.cast("Name", y)',
  'T = t.TypeVar("T", bound="Name")',
  'x: "m.Name"',
  'class A(Generic["Name"]):',
])('%j: the string is a type', (line) => {
  const start = line.indexOf('Name') + 6;
  expect(isQuotedType('a.py', `a = 1\n${line}\nb = 2\n`, { start, end: start + 4 })).toBe(true);
});

it.each([
  'x = {"key": "Name"}',
  'x["Name"] = 1',
  'CONFIG["Name"]',
  'print("Name")',
  'raise E("Name is wrong")',
  'def f(a="Name"):',
  'x: str = "Name"',
  '"""Name"""',
  'def f(a: "not a Name, really!"):',
  'if x: print("Name")',
  '"""Takes a: "Name" here."""',
  '# a: "Name"',
])('%j: the string is none', (line) => {
  const start = line.indexOf('Name') + 6;
  expect(isQuotedType('a.py', `a = 1\n${line}\nb = 2\n`, { start, end: start + 4 })).toBe(false);
});

it.each([
  'x = t.cast("^Name", y)',
  'T = t.TypeVar("T", bound="^Name")',
  'Handler = t.Callable[["^Name"], None]',
  'Handler: TypeAlias = t.Callable[["^Name"], None]',
  'Either = t.Union[\n    "Other",\n    "^Name",\n]',
  'class A(t.List["^Name"]):',
  'make(1, dict[str, "^Name | None"])',
  'x = deque["^Name"]',
  'x = API["^Name"]',
  'x = Optional[  # why: it may\n    "^Name"]',
  'x = t.Union[t.Literal["a:b"], "^Name"]',
  'x = t.Dict[t.Literal["x=y (z)"], "^Name"]',
  'x = {"k": t.List["^Name"]}',
  'def f() -> int:\n    return t.List["^Name"]',
  'x = lambda: t.List["^Name"]',
  'x = [1 > 0, t.List["^Name"]]',
  'class A:\n    y: int = 1\n    x = t.List["^Name"]',
  'def f(a: int, b=t.List["^Name"]):',
  'x = texts["^Name"]',
])('only the check of a file takes the string in %j for a type', (line) => {
  expect(isCast(line.replace('^', ''), 'Name')).toBe(true);
});

it.each([
  'def f(a: t.List["^Name"]):',
  'def f(a: int = 1, b: t.List["^Name"] = None):',
  'def f() -> t.List["^Name"]:',
  'x: t.Dict[str, "^Name"] = {}',
  'class A:\n    x: t.List["^Name"]',
  'def f(\n    a: t.Union[\n        int,\n        "^Name",\n    ]\n):',
  'async def f(a) -> t.Dict[str, t.List["^Name"]]:',
  'x = "^Name"',
  'x = t.List[^Name]',
])('the string in %j is no type, or known to be one at once', (line) => {
  expect(isCast(line.replace('^', ''), 'Name')).toBe(false);
});

it('a name in very many strings may be a type in one of them, and not each is looked at', () => {
  const entry = '    {"kind": "Name", "at": (1, 2)},\n';
  expect(isCast(`x = [\n${entry.repeat(200)}]\n`, 'Name')).toBe(false);
  expect(isCast(`x = [\n${entry.repeat(201)}]\n`, 'Name')).toBe(true);
});

it('a string with a name as no class has is none', () => {
  expect(isQuotedType('a.py', 'def f(a: "name"):', { start: 10, end: 14 })).toBe(false);
  expect(isQuotedType('a.ts', 'f(a: "Name")', { start: 6, end: 10 })).toBe(false);
});

it.each([
  ['__all__ = ["name"]', true],
  ["__all__ = (\n    'other',\n    'name',\n)", true],
  ['__all__: list[str] = ["name"] + core.__all__', true],
  ['__all__ += ["name"]', true],
  ['__all__.extend(["name"])', true],
  ['__all__ = ["name.part"]', false],
  ['__all__ = []\nx = ["name"]', false],
  ['x.__all__ = ["name"]', false],
  [`__all__ = [\n${'    "a_long_one_of_the_functions",\n'.repeat(300)}    "name",\n]`, true],
  ['try:\n    pass\nexcept E:\n    __all__ = ["name"]', true],
  ['__all__ = ["a"] + core.__all__ + ["name"]', true],
  ['__all__ = list(__all__) + ["name"]', true],
  ['__all__ = [  # has "it\n    "name",\n]', true],
  ['__all__ = "a", "name"', true],
  ['__all__ = ["a"] + \\\n    ["name"]', true],
  ['__all__ = []\nprint("name")', false],
  ['__all__ = []; print("name")', false],
  ['__all__ = ["it is a \'name\'"]', false],
  ['# __all__ = ["name"]', false],
  ['"""\n__all__ = [\n"""\nx = ["name"]', false],
])('exported or not: %s', (line, expected) => {
  const text = `a = 1\n${line}\nb = 2\n`;
  const start = text.search(/(?<![_])name/);
  expect(isInAll('a.py', text, { start, end: start + 4 })).toBe(expected);
});

it.each([
  ['class A:\n    __match_args__ = ("one", "HERE")', true],
  ['class A:\n    __slots__ = ["HERE"]', true],
  ['class A:\n    __slots__ = "one HERE two".split()', true],
  ["class A:\n    __slots__: tuple[str, ...] = (\n        'one',\n        'HERE',\n    )", true],
  ['class A:\n    __slots__ = ("one",)\n    two = "HERE"', false],
  ['class A:\n    names = ("HERE",)', false],
  ['log("__slots__ = ", "HERE")', false],
])('tells what names a member in a list of a class: %s', (text, expected) => {
  const start = text.indexOf('HERE');
  expect(memberListAt('a.py', text, { start, end: start + 4 }) !== undefined).toBe(expected);
});

it('very many entries of one name are read in linear time', () => {
  for (const text of [
    `__all__ = [${'"name",'.repeat(50_000)}`,
    `${'\n__all__:'.repeat(30_000)}"name"`,
    `${'\n__all__ = ["'.repeat(50_000)}"name"`,
    `__all__ = [${'"\\'.repeat(30_000)}"name"`,
    '"name",'.repeat(50_000),
  ]) {
    for (let at = text.indexOf('name'); at >= 0; at = text.indexOf('name', at + 4)) {
      isInAll('a.py', text, { start: at, end: at + 4 });
      memberListAt('a.py', text, { start: at, end: at + 4 });
    }
  }
});
