// Small workspaces in which the order of questions could matter: projects that share files, names that several files have.

/** For each workspace, the servers that can answer, and the files made from a seed. */
export const historyProjects = {
  typescript: { servers: ['typescript', 'typescript-language-server'], files: monorepo },
  python: { servers: ['basedpyright', 'pyright'], files: python },
  c: { servers: ['clangd'], files: c },
  go: { servers: ['gopls'], files: go },
};

/** Packages that share the sources of one of them under other options, and a folder without a project. */
function monorepo({ below }) {
  const files = {
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
    'packages/shared/tsconfig.json': config({ strict: true }, ['src']),
    'packages/shared/src/money.ts':
      'export function format(cents) {\n  return `${cents / 100}`;\n}\nexport interface Money {\n  cents: number;\n}\n',
    'packages/shared/src/list.ts':
      "import { format, type Money } from './money';\n\nexport function lines(all: Money[]): string[] {\n  return all.map((one) => format(one.cents));\n}\nexport const first = (all: Money[]) => all.find((one) => one.cents > 0).cents;\n",
    'scripts/loose.ts':
      "import { lines } from '../packages/shared/src/list';\n\nconsole.log(lines([{ cents: 1 }]));\n",
    'scripts/other.ts': 'export function format(text: string) {\n  return text.trim();\n}\n',
  };
  const count = 3 + below(3);
  for (let at = 0; at < count; at += 1) {
    const name = `packages/p${at}`;
    files[`${name}/package.json`] = `{ "name": "@h/p${at}", "main": "src/index.ts" }\n`;
    files[`${name}/tsconfig.json`] = config({ strict: below(2) === 0, noUnusedLocals: below(2) === 0 }, [
      'src',
      ...(below(2) === 0 ? ['../shared/src'] : []),
    ]);
    const before = at === 0 ? '' : `import { sum${at - 1} } from '../../p${at - 1}/src/index';\n`;
    files[`${name}/src/index.ts`] =
      `import { lines } from '../../shared/src/list';\n${before}\nexport function sum${at}(value) {\n  const unused = 1;\n  return lines([{ cents: value }]).length${at === 0 ? '' : ` + sum${at - 1}(value)`};\n}\nexport class Cart${at} {\n  total() {\n    return sum${at}(2);\n  }\n}\n`;
    files[`${name}/test/index.test.ts`] =
      `import { Cart${at}, sum${at} } from '../src/index';\n\nsum${at}(new Cart${at}().total());\n`;
  }
  return files;
}

function config(options, include) {
  return `${JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler', ...options }, include }, null, 2)}\n`;
}

function python({ below }) {
  const files = {
    'pyproject.toml': '[project]\nname = "shop"\nversion = "1"\n',
    'src/shop/__init__.py': 'from .cart import Cart\n\n__all__ = ["Cart"]\n',
    'src/shop/cart.py':
      'class Cart:\n    def __init__(self, prices: list[int]) -> None:\n        self.prices = prices\n\n    def total(self) -> int:\n        return sum(self.prices)\n\n\ndef empty() -> Cart:\n    return Cart([])\n',
    'src/shop/tax.py':
      'from .cart import Cart\n\n\ndef taxed(cart: Cart, rate) -> int:\n    return int(cart.total() * rate) + undefined_name\n',
    'tests/conftest.py': 'from shop.cart import Cart, empty\n\n\ndef cart():\n    return empty()\n',
  };
  for (let at = 0; at < 3 + below(3); at += 1)
    files[`tests/test_${at}.py`] =
      `from shop import Cart\nfrom shop.tax import taxed\n\n\ndef test_${at}(cart):\n    assert cart.total() == 0\n    assert taxed(Cart([${at}]), 1) == ${at}\n`;
  return files;
}

function c({ below }) {
  const files = {
    'text.h':
      '#ifndef TEXT_H\n#define TEXT_H\nextern int made;\nint text_length(const char *text);\n#define TWICE(t) (2 * text_length(t))\n#endif\n',
    'text.c':
      '#include "text.h"\nint made = 0;\nstatic int check(int a) { return a; }\nint text_length(const char *text) {\n  int n = 0;\n  while (text[n]) n++;\n  return check(n);\n}\n',
    'main.c':
      '#include "text.h"\nint main(void) {\n#ifdef _WIN32\n  return text_length("w");\n#endif\n  made++;\n  return TWICE("a") + unknown_one();\n}\n',
  };
  for (let at = 0; at < 2 + below(3); at += 1)
    files[`use${at}.c`] =
      `#include "text.h"\nstatic int check(int a) { return a + ${at}; }\nint use${at}(void) { return check(text_length("${at}")); }\n`;
  return files;
}

function go({ below }) {
  const files = {
    'go.mod': 'module shop\n\ngo 1.19\n',
    'money/money.go':
      'package money\n\ntype Money struct{ Cents int }\n\nfunc Format(m Money) string { return "x" }\n\nfunc (m Money) Total() int { return m.Cents }\n',
    'main.go':
      'package main\n\nimport "shop/money"\n\nfunc main() {\n\tprintln(money.Format(money.Money{Cents: 1}))\n\tunknown()\n}\n',
  };
  for (let at = 0; at < 2 + below(3); at += 1)
    files[`use${at}/use.go`] =
      `package use${at}\n\nimport "shop/money"\n\nfunc Use() int { return money.Money{Cents: ${at}}.Total() }\n`;
  return files;
}
