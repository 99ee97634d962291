// The files of a generated Python project, in the same shape as the TypeScript one.
import { folderOf, numbered, users } from './layout.js';

/** @param {number} size how many modules @returns {Map<string, string>} text by path */
export function pythonProject(size) {
  const files = new Map([
    ['pyproject.toml', '[project]\nname = "app"\nversion = "1.0"\n'],
    ['app/__init__.py', ''],
    ['app/shared.py', shared],
  ]);
  const using = users(size);
  for (let index = 0; index < size; index += 1) {
    files.set(`app/${packageOf(index)}/__init__.py`, '');
    files.set(pythonModule(index), module(index, using.has(index)));
  }
  return files;
}

/** The path of a module. */
export function pythonModule(index) {
  return `app/${packageOf(index)}/module_${numbered(index)}.py`;
}

const packageOf = (index) => folderOf(index).replace('-', '_');

const shared = `def shared_measure(value: float, unit: str) -> str:
    """What everybody measures with."""
    return f"{value} {unit}"
`;

function module(index, usesShared) {
  const name = numbered(index);
  const before = index === 0 ? undefined : numbered(index - 1);
  return `${usesShared ? 'from app.shared import shared_measure\n' : ''}${importOf(index, before)}

class Store${name}:
    """Keeps the entries of part ${name}."""

    def __init__(self, title: str, limit: int, labels: list[str]) -> None:
        self.title = title
        self.limit = limit
        self.labels = labels
        self.entries: dict[str, float] = {}

    def add(self, key: str, value: float) -> None:
        if len(self.entries) >= self.limit:
            raise ValueError(self.title)
        self.entries[key] = value

    def total(self) -> float:
        return sum(self.entries.values())

    def describe(self) -> str:
        return f"{self.title}: {self.total()} ({', '.join(self.labels)})"


def compute_${name}(value: float) -> float:
    """Works out part ${name}."""
    store = Store${name}("part ${name}", 10, ["a", "b"])
    for step in range(3):
        store.add(f"step-{step}", value * step)
    return store.total()${before === undefined ? '' : ` + compute_${before}(value)`}
${usesShared ? sharedUses(name) : ''}`;
}

function importOf(index, before) {
  if (before === undefined) return '';
  return `from app.${packageOf(index - 1)}.module_${before} import compute_${before}\n`;
}

const sharedUses = (name) => `

def report_${name}() -> str:
    """Tells part ${name}."""
    first = shared_measure(compute_${name}(1), "m")
    second = shared_measure(compute_${name}(2), "kg")
    return f"{first}, {second}"
`;
