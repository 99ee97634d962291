import { expect, it } from 'vitest';
import { importedFiles } from '../../src/core/imported-files.ts';

const files = new Set([
  '/w/src/cart.ts',
  '/w/src/price.tsx',
  '/w/src/lib/index.ts',
  '/w/src/util.js',
  '/w/src/cart.hpp',
  '/w/pkg/__init__.py',
  '/w/pkg/cart.py',
  '/w/pkg/price.py',
]);

it.each<[string, string, string, readonly string[]]>([
  ['by the ending of what is built', '/w/src/a.ts', "import { Cart } from './cart.js';", ['/w/src/cart.ts']],
  [
    'without an ending, and as a folder',
    '/w/src/a.ts',
    "import x from './price';\nimport './lib';\nexport * from './util.js';",
    ['/w/src/price.tsx', '/w/src/lib/index.ts', '/w/src/util.js'],
  ],
  ['not in comments, nor what is a package', '/w/src/a.ts', "// './cart.js'\nimport 'zod';", []],
  ['not what is missing, nor itself', '/w/src/cart.ts', "import './gone.js';\nimport './cart.js';", []],
  ['as a header', '/w/src/cart.cpp', '#include <vector>\n#include "cart.hpp"\n', ['/w/src/cart.hpp']],
  [
    'as modules, from the root and by dots',
    '/w/pkg/a.py',
    'from pkg import price\nfrom .cart import Cart\nimport os\n',
    ['/w/pkg/__init__.py', '/w/pkg/price.py', '/w/pkg/cart.py'],
  ],
])('files are imported %s', (_how, from, text, expected) => {
  const isFile = (path: string) => files.has(path);
  expect(importedFiles(text, { from, roots: ['/w'], isFile })).toEqual(expected);
});
