import { expect, it } from 'vitest';
import { ownNameAt } from '../../../src/source-text/names/own-names.ts';

/** A text with a mark before the word that is meant. */
function marked(text: string): [text: string, offset: number] {
  return [text.replace('^', ''), text.indexOf('^')];
}

const taken = "const path = require('path');\n";

it.each([
  ['a.js', `${taken}const ^total = 1;\nshow(total);\n`],
  ['a.js', `${taken}const total = 1;\nshow(^total);\n`],
  ['a.cjs', 'const ^total = 1;\nexports.other = 2;\n'],
  ['a.js', 'function ^total() {}\nmodule.exports = class Shop {\n  size() {\n    return total();\n  }\n};\n'],
  ['a.js', 'const ^total = 1;\nmodule.exports = other;\nshow(total);\n'],
  ['a.mjs', "import x from 'x';\nconst ^total = 1;\n"],
  ['a.ts', 'export {};\nconst ^total = 1;\n'],
  ['a.js', `var a = require('a')\n  , ^total = 1\n  , c = 2;\nshow(total);\n`],
  ['a.js', `${taken}const a = 1,\n  ^total = 2;\n`],
  ['a.js', 'const ^total = make;\nmodule.exports = total();\n'],
  ['a.js', 'const ^total = make;\nmodule.exports = { a: total.b };\n'],
])('%s: %s has the name to itself', (file, text) => {
  expect(ownNameAt(file, ...marked(text))).toBe('declared');
});

it.each([
  ['a.js', "const ^shapes = require('./shapes');\n"],
  ['a.js', 'var ^shapes = require("./shapes")\nshapes.area();\n'],
  ['a.js', "var a = require('a')\n  , ^shapes = require('./shapes');\n"],
])('%s: %s calls a module so', (file, text) => {
  expect(ownNameAt(file, ...marked(text))).toBe('module');
});

it.each([
  ['a script shares its names', 'a.js', 'const ^total = 1;\n'],
  ['what looks like a module is a string', 'a.js', "const ^total = `\nrequire('path')`;\n"],
  ['a script of TypeScript', 'a.ts', `${taken}const ^total = 1;\n`],
  ['a declaration', 'a.d.ts', 'export {};\ndeclare const ^total: 1;\n'],
  ['it is given', 'a.js', 'const ^total = 1;\nmodule.exports = { total };\n'],
  ['it is given under another name', 'a.js', 'const ^total = 1;\nexports.sum = total;\n'],
  [
    'it is given in a call',
    'a.js',
    'const ^total = 1;\nmodule.exports = Object.assign({}, { a: { b: [total] } });\n',
  ],
  ['it is given on a later line', 'a.js', 'const ^total = 1;\nmodule.exports =\n  other ||\n  total;\n'],
  [
    'it is given in a body',
    'a.js',
    'const ^total = 1;\nmodule.exports = { size: () => {\n  return total;\n} };\n',
  ],
  [
    'a method has the name',
    'a.js',
    `${taken}function total() {}\nclass Cart {\n  ^total() {\n    return 1;\n  }\n}\n`,
  ],
  [
    'a method has the name too',
    'a.js',
    `${taken}function ^total() {}\nclass Cart {\n  async total() {}\n}\n`,
  ],
  [
    'a getter has the name',
    'a.js',
    `${taken}function total() {}\nclass Cart {\n  get ^total() {\n    return 1;\n  }\n}\n`,
  ],
  [
    'a field has the name',
    'a.js',
    `${taken}function ^total() {}\nclass Cart {\n  static total = total;\n}\n`,
  ],
  [
    'a parameter is a member',
    'a.ts',
    'export {};\nconst total = 1;\nclass Cart {\n  constructor(public ^total: number) {}\n}\n',
  ],
  [
    'a method of an interface',
    'a.ts',
    'export {};\nconst total = 1;\ninterface Cart {\n  ^total(): number;\n}\n',
  ],
  ['an attribute', 'a.jsx', `${taken}const total = 1;\nshow(<Cart ^total={total} />);\n`],
  ['an object has it', 'a.ts', 'const ^total = 1;\nexport const api = { total };\n'],
  [
    'an alias of the exports',
    'a.js',
    'var self = module.exports;\nfunction ^total() {}\nself.total = total;\n',
  ],
  ['another alias', 'a.js', 'const e = exports;\nfunction ^total() {}\nshow(total);\n'],
  [
    'exports by names of functions',
    'a.js',
    'function ^total() {}\n[total].forEach((fn) => {\n  exports[fn.name] = fn;\n});\n',
  ],
  [
    'globals by names of functions',
    'a.js',
    `${taken}function ^total() {}\n[total].forEach((fn) => {\n  global[fn.name] = fn;\n});\n`,
  ],
  [
    'an expression with brackets',
    'a.js',
    'function ^total() {}\nmodule.exports = [/}/,\n  /;/, total].map(show);\n',
  ],
  [
    'members that are called exports',
    'a.js',
    'function ^total() {}\nload((r) => r.instance.exports.run());\n',
  ],
  [
    'a script and a module at once',
    'a.js',
    "function ^total() {}\nif (typeof module !== 'undefined') module.exports.other = 1;\n",
  ],
  ['other loaders', 'a.js', "var ^total = {};\nrequirejs(['x'], () => require('x').y(total));\n"],
  ['an import that is no module', 'a.ts', 'import help = App.Utils.help;\nfunction ^total() {}\n'],
  ['text that begins as an export', 'a.jsx', 'function ^total() {}\nshow(<p>\nexport your data\n</p>);\n'],
  [
    'a module in a module',
    'a.ts',
    "import { x } from './x';\ndeclare module './x' {\ninterface ^Total { v: number }\n}\n",
  ],
  [
    'a name in a string',
    'a.js',
    "const ^total = 1;\nexports.x = 1;\nfor (const name of ['total']) show(name);\n",
  ],
  ['it is given behind a body', 'a.js', 'function ^total() {}\nmodule.exports = { a() {}, total };\n'],
  ['a class extends it', 'a.js', 'class ^Total {}\nmodule.exports = class extends Total {};\n'],
  ['exports are passed on', 'a.js', `${taken}const ^total = 1;\nfill(exports, total);\n`],
  ['a member', 'a.js', `${taken}const total = 1;\nbox.^total = 2;\n`],
  ['a key', 'a.js', `${taken}const total = 1;\nconst box = {\n  ^total: 2 };\n`],
  ['a property and its value', 'a.js', `${taken}const total = 1;\nconst box = { ^total };\n`],
  ['declared in a block', 'a.js', `${taken}{\n  const ^total = 1;\n}\n`],
  ['taken out of a module', 'a.js', "const { ^total } = require('./total');\n"],
  [
    'further names of a statement in a function',
    'a.js',
    `${taken}var a = () => {\n  var b = 1,\n    ^total = 2;\n};\n`,
  ],
  ['an argument on a line of its own', 'a.js', `${taken}var a = show(1,\n  ^total);\n`],
  ['further names of an export', 'a.ts', 'const a = 1\nexport const b = 1,\n  ^total = 2\n'],
  ['a further name that a list exports', 'a.ts', 'const a = 1,\n  ^total = 2;\nexport { total };\n'],
  ['exported where it is declared', 'a.ts', 'export const ^total = 1;\n'],
])('not if %s', (_, file, text) => {
  expect(ownNameAt(file, ...marked(text))).toBeUndefined();
});

it.each([
  ['exports', 'exports '],
  ['statements', 'exports.a = total;\n'],
  ['bodies', 'module.exports = { total() {}, '],
  ['brackets', 'exports = ['],
  ['declarations', 'const total = 1;\n'],
  ['further names', 'var a,\n  total,\n'],
  ['names in one statement', '  total,\n'],
])(
  'very many %s are read in linear time: a quadratic search would take longer than a test may',
  (_, part) => {
    const text = `const total = 1;\n${part.repeat(200_000 / part.length)}`;
    expect(['declared', undefined]).toContain(ownNameAt('a.js', text, 6));
  },
);
