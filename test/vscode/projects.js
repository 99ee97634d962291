// The files of the projects that are opened in VS Code.
const configuration = JSON.stringify({
  compilerOptions: { strict: true, module: 'nodenext', target: 'es2022' },
  include: ['src'],
});

/** Two TypeScript projects, of which one uses the other. */
export const twoPackages = {
  'pkg-a/tsconfig.json': configuration,
  'pkg-b/tsconfig.json': configuration,
  'pkg-a/src/price.ts': [
    'export interface Price { cents: number }',
    'export function addPrices(a: Price, b: Price): Price { return { cents: a.cents + b.cents }; }',
    '',
  ].join('\n'),
  'pkg-a/src/cart.ts': [
    "import { addPrices, type Price } from './price.js';",
    'export const total = (all: Price[]) => all.reduce(addPrices, { cents: 0 });',
    'const wrong: string = 1;',
    'export { wrong };',
    '',
  ].join('\n'),
  'pkg-b/src/use.ts': [
    "import { addPrices } from '../../pkg-a/src/price.js';",
    'export const twice = (n: number) => addPrices({ cents: n }, { cents: n });',
    '',
  ].join('\n'),
  'pkg-a/src/many.ts': Array.from({ length: 50 }, (_, at) => `export const one${at} = ${at};\n`).join(''),
  'bad.json': '{ "one": 1, }\n',
  'notes.unknown': 'plain words\n',
};
