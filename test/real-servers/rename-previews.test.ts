import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBridge } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { missingPrograms, onServer } from '../missing-programs.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

async function open(files: Readonly<Record<string, string>>) {
  const root = temporaryFolder(files);
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides: patient });
  onTestFinished(() => bridge.close({ hurried: true }));
  return {
    bridge,
    read: (file: string) => readFileSync(path.join(root, file), 'utf8'),
  };
}

const cart = {
  'compile_flags.txt': '-std=c++17\n',
  'src/cart.h': '#pragma once\nclass Cart {\n public:\n  int total() const;\n};\n',
  'src/cart.cc': '#include "cart.h"\nint Cart::total() const { return 1; }\n',
  'src/main.cc': '#include "cart.h"\nint main() {\n  Cart c;\n  return c.total();\n}\n',
  'src/other.cc': '#include "cart.h"\nint other(const Cart& c) { return c.total() + c.total(); }\n',
};

const inC =
  'clangd checks what includes a header with the text of a preview, and finds every use again after it';

it.skipIf(missingPrograms('clangd') !== '')(onServer('clangd', inC), async () => {
  const { bridge, read } = await open(cart);
  const wanted = { file_path: 'src/cart.h', symbol_name: 'total', new_name: 'sum' };
  const files = [{ edits: 1 }, { edits: 1 }, { edits: 1 }, { edits: 2 }];
  for (const _time of ['first', 'second']) {
    const { data } = await bridge.call('rename_symbol', wanted);
    expect(data).toMatchObject({ plan: { files, introduced: [], fixed: [] } });
  }
  const uses = await bridge.call('find_references', { file_path: 'src/cart.h', symbol_name: 'total' });
  expect(uses.data).toMatchObject({ references: { length: 5 } });
  const { data } = await bridge.call('rename_symbol', { ...wanted, dry_run: false, allow_incomplete: true });
  expect(data).toMatchObject({ edit: { files, introduced: [], fixed: [] } });
  for (const file of Object.keys(cart)) expect(read(file)).not.toContain('total');
});

const platforms = {
  'go.mod': 'module ex\n\ngo 1.19\n',
  'plat.go': 'package ex\n\nfunc Plat() string { return plat }\n',
  'plat_linux.go': 'package ex\n\nconst plat = "linux"\n',
  'plat_windows.go': 'package ex\n\nconst plat = "windows"\n',
  'plat_darwin.go': 'package ex\n\nconst plat = "darwin"\n',
};

it.skipIf(process.platform !== 'linux' || missingPrograms('gopls') !== '')(
  onServer(
    'gopls',
    'what gopls does not build here is told as not settled, and never as a problem that a preview introduces',
  ),
  async () => {
    const { bridge } = await open(platforms);
    const wanted = { file_path: 'plat_linux.go', symbol_name: 'plat', new_name: 'flat' };
    const { data } = await bridge.call('rename_symbol', wanted);
    expect(data).toMatchObject({
      plan: {
        introduced: [],
        fixed: [],
        settled: false,
        not_settled: ['plat_darwin.go', 'plat_windows.go'],
        unsettled_because: ['gopls could not check the file: it is in no package built here.'],
      },
    });
  },
  60_000,
);
