import { expect, it } from 'vitest';
import {
  folderMentions,
  pathMentions,
  relativeMentions,
} from '../../../src/source-text/paths/path-mentions.ts';
import { resolvesTo } from '../../../src/source-text/paths/path-resolution.ts';

interface Case {
  readonly from: string;
  readonly text: string;
  readonly names: readonly string[];
  readonly goal: string;
  /** The paths that lead there, in order. */
  readonly found: readonly string[];
}

/** The paths of a text that lead to a goal; one that ends with `/` is a folder. */
function leading({ from, text, names, goal }: Case, files: readonly string[] = []): string[] {
  const around = { from, roots: ['/r'], isFile: (file: string) => files.includes(file) };
  const wanted = { path: goal.replace(/\/$/, ''), isFolder: goal.endsWith('/') };
  return [...pathMentions(from, text, names), ...folderMentions(from, text)]
    .filter((mention) => resolvesTo(mention, wanted, around) !== undefined)
    .map(({ path }) => path);
}

const script = { names: ['cart'], goal: '/r/src/cart.ts' };

it.each<Case>([
  { ...script, from: '/r/src/a.ts', text: "import { x } from './cart';", found: ['./cart'] },
  { ...script, from: '/r/src/a.ts', text: "import { cart } from './cart.js';", found: ['./cart.js'] },
  { ...script, from: '/r/src/a.ts', text: "export * from './cart.ts';", found: ['./cart.ts'] },
  { ...script, from: '/r/test/a.ts', text: "await import('../src/cart')", found: ['../src/cart'] },
  { ...script, from: '/r/src/a.ts', text: "// import './cart';\n/* './cart' */", found: [] },
  { ...script, from: '/r/src/a.ts', text: "import 'cart';", found: [] },
  { ...script, from: '/r/src/a.ts', text: "import './cart.json'; cart.x(`go to ./cart`)", found: [] },
  { ...script, from: '/r/src/a.ts', text: "import '../cart'; import './lib/cart';", found: [] },
  { ...script, from: '/r/src/a.ts', text: "load('src/cart.ts')", found: ['src/cart.ts'] },
  { ...script, from: '/r/package.json', text: '{ "main": "./src/cart.ts" }', found: ['./src/cart.ts'] },
  { ...script, from: '/r/tsconfig.json', text: '{ "files": ["src/cart.ts"] }', found: ['src/cart.ts'] },
  {
    ...script,
    from: '/r/README.md',
    text: 'See [it](src/cart.ts#L3), or the cart.',
    found: ['src/cart.ts#L3'],
  },
  { ...script, from: '/r/src/README.md', text: 'See `cart.ts` and cart.ts.', found: ['cart.ts'] },
  { ...script, from: '/r/docs/a.md', text: 'It is in ../src/cart.ts.', found: ['../src/cart.ts'] },
  { ...script, from: '/r/a.html', text: '<script src="/src/cart.ts"></script>', found: ['/src/cart.ts'] },
  { ...script, from: '/r/a.md', text: '[x](https://example.com/src/cart.ts)', found: [] },
])('$from: $text', (one) => {
  expect(leading(one)).toEqual(one.found);
});

const shell = { names: ['log.sh'], goal: '/r/ops/lib/log.sh' };

it.each<Case>([
  { ...shell, from: '/r/ops/a.sh', text: '. "$here/lib/log.sh"', found: ['$here/lib/log.sh'] },
  { ...shell, from: '/r/ops/a.sh', text: 'source "$(dirname "$0")/lib/log.sh"', found: ['/lib/log.sh'] },
  { ...shell, from: '/r/ops/a.sh', text: 'source "${here}/lib/log.sh"', found: ['/lib/log.sh'] },
  { ...shell, from: '/r/ops/bin/a.sh', text: 'source "$here/../lib/log.sh"', found: ['$here/../lib/log.sh'] },
  { ...shell, from: '/r/other/a', text: '#!/bin/sh\n[ x ] && . $ops/lib/log.sh', found: ['$ops/lib/log.sh'] },
  { ...shell, from: '/r/other/a.sh', text: 'source "${LIB}/log.sh"', found: ['/log.sh'] },
  { ...shell, from: '/r/other/a.sh', text: 'source log.sh', found: ['log.sh'] },
  { ...shell, from: '/r/ops/lib/a.sh', text: '. log.sh', found: ['log.sh'] },
  { ...shell, from: '/r/other/a.sh', text: 'rm "${LIB}/log.sh"; cat log.sh', found: [] },
  { ...shell, from: '/r/other/a.sh', text: 'source "$here/my/log.sh"', found: [] },
  {
    names: ['inc.php'],
    goal: '/r/a/inc.php',
    from: '/r/a/b.php',
    text: "require __DIR__ . '/inc.php';",
    found: ['/inc.php'],
  },
  {
    names: ['inc.php'],
    goal: '/r/a/inc.php',
    from: '/r/a/c/b.php',
    text: "include dirname(__FILE__).'/../inc.php';",
    found: ['/../inc.php'],
  },
  {
    names: ['x.js'],
    goal: '/r/a/x.js',
    from: '/r/a/b.js',
    text: "fork(__dirname + '/x.js')",
    found: ['/x.js'],
  },
  { names: ['x.js'], goal: '/r/a/x.js', from: '/r/b/c.js', text: 'load(`${folder}/x.js`)', found: [] },
])('behind a folder that only a run knows: $from: $text', (one) => {
  expect(leading(one)).toEqual(one.found);
});

it('takes a path behind a folder for that of another file, if it leads to one', () => {
  const text = 'source "$here/lib/log.sh"';
  expect(leading({ ...shell, from: '/r/b/a.sh', text, found: [] }, ['/r/b/lib/log.sh'])).toEqual([]);
});

const jsDoc = (lines: string) => `/**\n * ${lines.replaceAll('\n', '\n * ')}\n */\nexport {};\n`;

it.each<Case>([
  { ...script, from: '/r/src/a.js', text: '/** @type {import("./cart").X} */', found: ['./cart'] },
  { ...script, from: '/r/src/a.js', text: "/** @type import('./cart.js').X */", found: ['./cart.js'] },
  {
    ...script,
    from: '/r/src/a.js',
    text: jsDoc('@param {Map<import("@r/b").B, {\n x: import(\n"./cart")}>} y'),
    found: ['./cart'],
  },
  { ...script, from: '/r/src/a.ts', text: jsDoc('See {@link import("./cart").X}.'), found: ['./cart'] },
  { ...script, from: '/r/src/a.js', text: jsDoc('@import { X,\nY } from "./cart"'), found: ['./cart'] },
  { ...script, from: '/r/src/a.js', text: "/** @import * as x from './cart' */", found: ['./cart'] },
  { ...script, from: '/r/src/a.vue', text: '<script>\n/** @import "./cart" */', found: ['./cart'] },
  { ...script, from: '/r/src/a.ts', text: '/// <reference path="cart.ts" />', found: ['cart.ts'] },
  { ...script, from: '/r/src/a.ts', text: "///<reference types = './cart'/>", found: ['./cart'] },
  { ...script, from: '/r/src/a.ts', text: '// <reference path="./cart.ts" />', found: [] },
  { ...script, from: '/r/src/a.js', text: '// @type {import("./cart").X}', found: [] },
  { ...script, from: '/r/src/a.js', text: '// /** @type {import("./cart").X} */', found: [] },
  { ...script, from: '/r/src/a.js', text: '/* @type {import("./cart").X} */', found: [] },
  { ...script, from: '/r/src/a.js', text: jsDoc('See import("./cart"), or from "./cart".'), found: [] },
  {
    ...script,
    from: '/r/src/a.js',
    text: jsDoc('@param {string} x import("./cart")\n@example f({ x: import("./cart") })'),
    found: [],
  },
  { ...script, from: '/r/src/a.go', text: '/** @type {import("./cart").X} */', found: [] },
  {
    names: ['index'],
    goal: '/r/lib/index.ts',
    from: '/r/lib/a.js',
    text: '/** @type {import(".").X} */ // import(".")',
    found: ['.'],
  },
])('in a comment, $from: $text', (one) => {
  expect(leading(one)).toEqual(one.found);
});

it('finds the relative paths that comments name for the compiler', () => {
  const text = '/** @type {import("./cart").X} */\n// import("./price")\n/// <reference path="./a.d.ts" />\n';
  expect(relativeMentions('/r/a.ts', text).map(({ path }) => path)).toEqual(['./cart', './a.d.ts']);
});

it.each(['@import {', '@type {import("./cart', '{@import "./cart" import(', 'from from ', 'import(   ***'])(
  'reads a huge comment of %j in time',
  (part) => {
    const text = `/** ${part.repeat(1_000_000 / part.length)} cart */`;
    // A quadratic search would take longer than a test may.
    expect(Array.isArray(pathMentions('/r/a.js', text, ['cart']))).toBe(true);
  },
);

const python = { names: ['cart'], goal: '/r/pkg/cart.py' };
const packages = ['/r/pkg/__init__.py'];

it.each<Case>([
  { ...python, from: '/r/main.py', text: 'from pkg.cart import total', found: ['pkg.cart'] },
  { ...python, from: '/r/main.py', text: 'import os, pkg.cart as c', found: ['pkg.cart'] },
  {
    ...python,
    from: '/r/main.py',
    text: 'from pkg import (\n  price,\n  cart as c,\n)',
    found: ['pkg.cart'],
  },
  { ...python, from: '/r/pkg/a.py', text: 'from . import cart', found: ['.cart'] },
  { ...python, from: '/r/pkg/a.py', text: 'from .cart import total', found: ['.cart'] },
  { ...python, from: '/r/pkg/sub/a.py', text: 'from ..cart import total', found: ['..cart'] },
  { ...python, from: '/r/pkg/a.py', text: 'import cart', found: ['cart'] },
  { ...python, from: '/r/main.py', text: 'import cart', found: [] },
  {
    ...python,
    from: '/r/main.py',
    text: '# import pkg.cart\n"""\nimport pkg.cart\n"""\nprint(cart)',
    found: [],
  },
  { ...python, from: '/r/main.py', text: 'patch("pkg.cart.total")', found: ['pkg.cart.total'] },
  { ...python, from: '/r/main.py', text: 'open("pkg/cart.py")', found: ['pkg/cart.py'] },
])('$from: $text', (one) => {
  expect(leading(one, packages)).toEqual(one.found);
});

it.each<Case>([
  { names: ['lib'], goal: '/r/lib/index.ts', from: '/r/a.ts', text: "import './lib';", found: ['./lib'] },
  { names: ['index'], goal: '/r/lib/index.ts', from: '/r/lib/a.ts', text: "import '.';", found: ['.'] },
  {
    names: ['index'],
    goal: '/r/lib/index.ts',
    from: '/r/lib/x/a.ts',
    text: "f('..', '../')",
    found: ['..', '../'],
  },
  {
    names: ['index'],
    goal: '/r/lib/index.ts',
    from: '/r/lib/x/a.ts',
    text: "import '../index.js'",
    found: ['../index.js'],
  },
  { names: ['pkg'], goal: '/r/pkg/__init__.py', from: '/r/pkg/a.py', text: 'from . import x', found: ['.'] },
  {
    names: ['pkg'],
    goal: '/r/pkg/__init__.py',
    from: '/r/a.py',
    text: 'import pkg\nimport pkg.x',
    found: ['pkg'],
  },
  {
    names: ['cart'],
    goal: '/r/inc/cart.h',
    from: '/r/src/a.c',
    text: '#include "cart.h"\n#include <cart.h>',
    found: ['cart.h', 'cart.h'],
  },
  {
    names: ['cart'],
    goal: '/r/src/cart.rs',
    from: '/r/src/main.rs',
    text: 'mod cart;\nuse cart::x;',
    found: ['cart'],
  },
  {
    names: ['cart'],
    goal: '/r/src/shop/cart.rs',
    from: '/r/src/shop.rs',
    text: 'pub mod cart;',
    found: ['cart'],
  },
  {
    names: ['cart'],
    goal: '/r/cart.css',
    from: '/r/a.css',
    text: "@import 'cart.css'; x { y: url(cart.css) }",
    found: ['cart.css', 'cart.css'],
  },
  {
    names: ['_cart', 'cart'],
    goal: '/r/_cart.scss',
    from: '/r/a.scss',
    text: "@use 'cart';",
    found: ['cart'],
  },
])('$from: $text leads to $goal', (one) => {
  expect(leading(one)).toEqual(one.found);
});

it.each<Case>([
  {
    names: ['lib'],
    goal: '/r/src/lib/',
    from: '/r/src/a.ts',
    text: "import './lib/cart'; f('lib')",
    found: ['./lib/cart'],
  },
  {
    names: ['lib'],
    goal: '/r/src/lib/',
    from: '/r/README.md',
    text: 'src/lib/cart.ts and the lib',
    found: ['src/lib/cart.ts'],
  },
  {
    names: ['lib'],
    goal: '/r/src/lib/',
    from: '/r/src/a.py',
    text: 'from lib.cart import x\nfrom . import lib',
    found: ['lib.cart', '.lib'],
  },
])('$from: $text leads into $goal', (one) => {
  expect(leading(one)).toEqual(one.found);
});

it('where a file has the name of a folder, the file is meant', () => {
  const one = {
    names: ['lib'],
    goal: '/r/lib/index.ts',
    from: '/r/a.ts',
    text: "import './lib';",
    found: [],
  };
  expect(leading(one, ['/r/lib.ts'])).toEqual([]);
});

const shebang = '#!/usr/bin/env python3\n';

it.each<Case>([
  { ...python, from: '/r/bin/run', text: `${shebang}from pkg.cart import total`, found: ['pkg.cart'] },
  { ...python, from: '/r/bin/run', text: `${shebang}# from pkg.cart import total`, found: [] },
  { ...python, from: '/r/bin/run', text: 'from pkg.cart import total', found: [] },
  { ...python, from: '/r/bin/run', text: '#!/bin/sh\nfrom pkg.cart import total', found: [] },
  {
    ...python,
    from: '/r/run',
    text: '#!/usr/bin/env -S uv run --script\nimport pkg.cart',
    found: ['pkg.cart'],
  },
  { ...python, from: '/r/run.pyw', text: 'from pkg import cart', found: ['pkg.cart'] },
  { ...python, from: '/r/fast.pyx', text: 'from pkg.cart cimport total', found: ['pkg.cart'] },
  { ...python, from: '/r/pkg/fast.pxd', text: 'from . cimport cart', found: ['.cart'] },
  { ...python, from: '/r/wscript', text: 'import pkg.cart', found: ['pkg.cart'] },
  {
    ...python,
    from: '/r/SConstruct',
    text: 'import pkg.cart\nopen("pkg/cart.py")',
    found: ['pkg.cart', 'pkg/cart.py'],
  },
  {
    ...script,
    from: '/r/bin/run',
    text: "#!/usr/bin/env node\nrequire('../src/cart') // '../src/cart'",
    found: ['../src/cart'],
  },
])('without an ending of its language, $from: $text', (one) => {
  expect(leading(one, packages)).toEqual(one.found);
});

const cells = (...lines: readonly string[]) =>
  JSON.stringify({ cells: [{ cell_type: 'code', source: lines.map((line) => `${line}\n`) }] }, undefined, 1);
const notebook = { ...python, from: '/r/a.ipynb' };

it.each<Case>([
  { ...notebook, text: cells('from pkg.cart import total'), found: ['pkg.cart'] },
  { ...notebook, text: cells('import os', 'import pkg.cart as c', 'print(cart)'), found: ['pkg.cart'] },
  {
    ...notebook,
    text: cells("print('it''s \"')", 'from pkg import (', '  price,', '  cart)'),
    found: ['pkg.cart'],
  },
  { ...notebook, text: cells('from pkg import price, \\', '  cart'), found: ['pkg.cart'] },
  {
    ...notebook,
    text: '{"source":"import os\\nif x:\\n\\timport pkg.cart\\nprint(1)"}',
    found: ['pkg.cart'],
  },
  { ...notebook, text: cells('# import pkg.cart', 'x = "cart"'), found: [] },
  { ...notebook, text: cells('open("pkg/cart.py")'), found: ['pkg/cart.py'] },
])('in a notebook: $text', (one) => {
  expect(leading(one, packages)).toEqual(one.found);
});

it('tells where a notebook names a module', () => {
  const text = cells('x = "\\t"', 'from pkg import cart');
  const [pkg, found] = pathMentions('/r/a.ipynb', text, ['pkg', 'cart']);
  expect(text.slice(pkg?.offset, (pkg?.offset ?? 0) + 3)).toBe('pkg');
  expect(text.slice(found?.offset, (found?.offset ?? 0) + 4)).toBe('cart');
});

it.each(['"import cart\\\\n', '\\\\"', 'from cart import (', '"', 'import cart, '])(
  'reads a huge notebook of %j in time',
  (part) => {
    const text = `{"source": "${part.repeat(100_000 / part.length)} cart"}`;
    expect(Array.isArray(pathMentions('/r/a.ipynb', text, ['cart']))).toBe(true);
  },
);
