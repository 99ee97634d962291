import { expect, it } from 'vitest';
import {
  importedOnLine,
  isForeignToGo,
  readGoModules,
} from '../../../src/source-text/packages/go-modules.ts';

const files: Record<string, string> = {
  '/w/go.mod': `// module old
module "example.com/shop" // ours

replace example.com/price v1.0.0 => ./price

replace (
\texample.com/tax => ../tax
\texample.com/log => example.com/log v1.2.3
)
`,
  '/w/go.work': 'go 1.19\nuse ./tools\nreplace example.com/work => ./work\n',
  '/w/tools/go.mod': 'module tools\n',
  '/w/a.go': 'module nothing\n',
};

const read = async (file: string) => files[file];

it('knows the paths of the modules of a workspace and of what a folder stands for', async () => {
  expect(await readGoModules(Object.keys(files), read)).toEqual([
    'example.com/shop',
    'example.com/price',
    'example.com/tax',
    'example.com/work',
    'tools',
  ]);
});

it.each([
  ['example.com/shop', false],
  ['example.com/shop/cart', false],
  ['example.com/shopping', true],
  ['tools/gen', false],
  ['log/slog', true],
  ['C', false],
  ['./cart', false],
])('knows whether %s is in no module of the workspace: %s', (path, expected) => {
  expect(isForeignToGo(path, ['example.com/shop', 'tools'])).toBe(expected);
});

it('says nothing where there is no module', () => {
  expect(isForeignToGo('log/slog', [])).toBe(false);
});

it.each([
  ['import "fmt"', 'fmt'],
  ['\t"github.com/a/b"', 'github.com/a/b'],
  ['\tassert "github.com/a/b/v2" // for tests', 'github.com/a/b/v2'],
  ['import ( . "a/b"', undefined],
  ['import (`a/b`', 'a/b'],
  ['\tName string `json:"a"`', undefined],
  ['\tassert := New("a")', undefined],
])('reads what a line imports: %j', (line, expected) => {
  expect(importedOnLine(line)).toBe(expected);
});
