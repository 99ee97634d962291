import { spawnSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** What is renamed as a whole, and what may also be refused: never does the program end otherwise than before. */
type Expected = 'whole' | 'safe';

const programs: readonly [what: string, expected: Expected, files: Record<string, string>, place: string][] =
  [
    [
      'a method of the object that is the module',
      'whole',
      {
        'a.js': 'module.exports = {\n  total() { return 4; },\n};\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:2:3',
    ],
    [
      'a key of it',
      'whole',
      {
        'a.js': 'module.exports = {\n  total: () => 4,\n};\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:2:3',
    ],
    [
      'it is taken out of a variable',
      'whole',
      {
        'a.js': 'module.exports = {\n  total() { return 4; },\n};\n',
        'main.js': 'const a = require("./a"); const { total } = a;\nconsole.log(total());\n',
      },
      'a.js:2:3',
    ],
    [
      'it is taken out of `this`',
      'safe',
      {
        'a.js':
          'module.exports = {\n  total() { return 4; },\n  half() { const { total } = this; return total(); },\n};\n',
        'main.js': 'const a = require("./a");\nconsole.log(a.half(), a.total());\n',
      },
      'a.js:2:3',
    ],
    [
      'it is taken out of `exports`',
      'safe',
      {
        'a.js':
          'exports.total = () => 4; exports.half = function () { const { total } = exports; return total(); };\n',
        'main.js': 'const a = require("./a");\nconsole.log(a.half(), a.total());\n',
      },
      'a.js:1:9',
    ],
    [
      'a method of an instance that is the module',
      'safe',
      {
        'a.js': 'class Calc {\n  total() { return 4; }\n}\nmodule.exports = new Calc();\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:2:3',
    ],
    [
      'a key of JSON',
      'safe',
      {
        'cfg.json': '{ "total": 4 }\n',
        'main.js':
          "const cfg = require('./cfg.json'); const { total } = require('./cfg.json'); console.log(cfg.total + total);\n",
      },
      'main.js:1:95',
    ],
    [
      'an object that is frozen',
      'safe',
      {
        'a.js': 'function total() { return 4; }\nmodule.exports = Object.freeze({ total });\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'an object that is assigned to',
      'safe',
      {
        'a.js': 'function total() { return 4; }\nmodule.exports = Object.assign({}, { total });\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'one of two objects',
      'safe',
      {
        'a.js':
          'function total() { return 4; }\nmodule.exports = process.env.X ? { total } : { total, other: 1 };\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'a parameter takes it out of the module',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js': 'const use = ({ total }) => total(7);\nconsole.log(use(require("./a")));\n',
      },
      'a.js:1:10',
    ],
    [
      'a parameter in another file takes it',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nexports.total = total;\n',
        'use.js': 'module.exports = function use({ total }) { return total(7); };\n',
        'main.js': 'console.log(require("./use")(require("./a")));\n',
      },
      'a.js:1:10',
    ],
    [
      'the parameter of a constructor takes it',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js':
          'class S { constructor({ total }) { this.total = total } go() { return this.total(1) } }\nconsole.log(new S(require("./a")).go());\n',
      },
      'a.js:1:10',
    ],
    [
      'it is taken out of a list of modules',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js':
          "const mods = ['a'].map(n => require('./' + n)); for (const { total } of mods) console.log(total(1)); const { total } = mods[0]; console.log(total(2));\n",
      },
      'a.js:1:10',
    ],
    [
      'a parameter with a type in a comment takes it',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js':
          "/** @param {import('./a')} m */\nfunction use({ total }) { return total(3); }\nconsole.log(use(require('./a')));\n",
      },
      'a.js:1:10',
    ],
    [
      'two modules have it, and one is taken by a key',
      'safe',
      {
        'a.js': 'function render(x) { return x; }\nmodule.exports = { render };\n',
        'b.js': 'function render(x) { return x+1; }\nmodule.exports = { render };\n',
        'main.js':
          "const all = { a: require('./a'), b: require('./b') }; for (const k of ['a','b']) { const { render } = all[k]; console.log(render(1)) } Object.values(all).forEach(({ render }) => console.log(render(2)));\n",
      },
      'a.js:1:10',
    ],
    [
      'a declaration beside the module',
      'safe',
      {
        'a.js': 'function total(x){return x}\nmodule.exports = { total };\n',
        'a.d.ts': 'export declare function total(x: number): number;\n',
        'main.js':
          "const { total } = require('./a'); const a = require('./a'); console.log(total(1), a.total(2));\n",
      },
      'a.js:1:10',
    ],
    [
      'a declaration beside the module, asked elsewhere',
      'safe',
      {
        'a.js': 'function total(x){return x}\nmodule.exports = { total };\n',
        'a.d.ts': 'export declare function total(x: number): number;\n',
        'main.js':
          "const { total } = require('./a'); const a = require('./a'); console.log(total(1), a.total(2));\n",
      },
      'main.js:1:9',
    ],
    [
      'a method with the name of a function of the file',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nclass Cart {\n  total() { return total(5); }\n}\nmodule.exports = { Cart };\n',
        'main.js':
          'const { Cart } = require("./a");\nconst use = (c) => c.total();\nconsole.log(use(new Cart()), new Cart().total());\n',
      },
      'a.js:3:3',
    ],
    [
      'a getter with it',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nclass Cart {\n  get total() { return total(5); }\n}\nmodule.exports = { Cart };\n',
        'main.js':
          'const { Cart } = require("./a");\nconst use = (c) => c.total;\nconsole.log(use(new Cart()));\n',
      },
      'a.js:3:7',
    ],
    [
      'a static field with it',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nclass Cart {\n  static total = total;\n}\nmodule.exports = { Cart };\n',
        'main.js':
          'const { Cart } = require("./a");\nconst use = (c) => c.total(1);\nconsole.log(use(Cart));\n',
      },
      'a.js:3:10',
    ],
    [
      'an asynchronous method with it',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nconst o = {\n  async total() { return total(5); }\n};\nmodule.exports = { o };\n',
        'main.js':
          'const { o } = require("./a");\nconst use = (c) => c.total();\nuse(o).then(console.log);\n',
      },
      'a.js:3:9',
    ],
    [
      'an alias of the exports',
      'safe',
      {
        'a.js': 'var self = module.exports;\nfunction total(x) { return x; }\nself.total = total;\n',
        'main.js':
          'const { total } = require("./a"); const m = require("./a"); console.log(total(1), m.total(3));\n',
      },
      'a.js:2:10',
    ],
    [
      'an application that is the exports',
      'safe',
      {
        'a.js': 'var app = module.exports = {};\nfunction total(x) { return x; }\napp.total = total;\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:2:10',
    ],
    [
      'functions that are exported by their names',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nfunction avg(x) { return x; }\n[total, avg].forEach((fn) => {\n  exports[fn.name] = fn;\n});\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'an object made of them',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nexports.all = (() => {\n  return [total].reduce((o, f) => ({ ...o, [f.name]: f }), {});\n})();\n',
        'main.js': 'console.log(require("./a").all.total(1));\n',
      },
      'a.js:1:10',
    ],
    [
      'a list of expressions and functions',
      'safe',
      {
        'a.js':
          'function total(x) { return x; }\nmodule.exports = [/}/,\n  /;/, total].reduce((all, fn) => ({ ...all, [fn.name]: fn }), {});\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'a function that is exported and required',
      'whole',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:10',
    ],
    [
      'the same, asked where it is required',
      'whole',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'main.js:1:9',
    ],
    [
      'a member of the exports',
      'whole',
      {
        'a.js': 'exports.total = function (x) { return x; };\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2));\n',
      },
      'a.js:1:9',
    ],
    [
      'a member of the module',
      'whole',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js': 'const a = require("./a");\nconsole.log(a.total(1));\n',
      },
      'a.js:1:10',
    ],
    [
      'a function of the file alone',
      'whole',
      {
        'a.js':
          'const path = require("path");\nfunction total(x) { return x; }\nmodule.exports = { sum: () => total(3) };\n',
        'b.js': 'const total = 1;\nconsole.log(total);\n',
        'main.js': 'console.log(require("./a").sum());\n',
      },
      'a.js:2:10',
    ],
    [
      'a parameter of the same name elsewhere',
      'safe',
      {
        'a.js': 'function total(x) { return x; }\nmodule.exports = { total };\n',
        'main.js': 'const { total } = require("./a");\nconsole.log(total(2), ((total) => total)(5));\n',
      },
      'a.js:1:10',
    ],
  ];

it.each(programs)('%s keeps its meaning when it is renamed (%s)', async (_, expected, files, id) => {
  const root = temporaryFolder({ 'package.json': '{ "name": "x" }', ...files });
  const bridge = await open(root);
  const before = run(root);
  const { data, text } = await bridge.call('rename_symbol', { id, new_name: 'zz', dry_run: false });
  expect(run(root), text).toEqual(before);
  if (expected === 'whole') expect(data, text).toMatchObject({ complete: true, edit: expect.anything() });
});

it.each([
  "jest.mock('./a', () => ({ total: jest.fn(() => 5) }));\nconst a = require('./a');\na.total.mockReturnValue(3);\n",
  "proxyquire('./main', { './a': { total: () => 1 } });\n",
])('what stands for a module in a test is a doubt: %s', async (test) => {
  const files = {
    'a.js': 'function total() {}\nmodule.exports = { total };\n',
    'main.js': "const { total } = require('./a');\ntotal();\n",
    'main.test.js': test,
  };
  const root = temporaryFolder({ 'package.json': '{ "name": "x" }', ...files });
  const bridge = await open(root);
  const { data } = await bridge.call('rename_symbol', { id: 'a.js:1:10', new_name: 'zz' });
  expect(data).toMatchObject({ complete: false });
});

async function open(root: string) {
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: { ...patient, disabledServers: ['typescript-language-server', 'vtsls'] },
    environment: { ...process.env, XDG_STATE_HOME: temporaryFolder() },
  });
  onTestFinished(() => bridge.close({ hurried: true }));
  return bridge;
}

function run(root: string): { readonly status: number | null; readonly printed: string } {
  const { status, stdout } = spawnSync(process.execPath, ['main.js'], { cwd: root, encoding: 'utf8' });
  return { status, printed: stdout };
}
