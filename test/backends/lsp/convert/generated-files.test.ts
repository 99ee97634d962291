import path from 'node:path';
import { expect, it } from 'vitest';
import { readUses } from '../../../../src/backends/lsp/convert/answers.ts';
import { readRename } from '../../../../src/backends/lsp/convert/proposal.ts';
import type { Translation } from '../../../../src/backends/lsp/convert/translation.ts';
import { readHierarchy } from '../../../../src/backends/lsp/questions/read-hierarchy.ts';
import { gopls } from '../../../../src/servers/gopls.ts';
import { openSandbox, temporaryFolder } from '../../../workspace/sandbox.ts';

const hash = '0e'.padEnd(64, '6');
const made = `file:///home/ann/.cache/go-build/0e/${hash}-d`;
const range = { start: { line: 0, character: 5 }, end: { line: 0, character: 8 } };

async function open() {
  const root = temporaryFolder({ 'a.go': 'func Add() {}\n' });
  const { workspace } = await openSandbox([root]);
  const isGenerated = (file: string) => gopls.quirks?.generatedFiles?.test(file) === true;
  const translation: Translation = {
    server: 's',
    workspace,
    encoding: 'utf-16',
    wordQuery: (query) => query,
    isGenerated,
  };
  const file = path.join(root, 'a.go');
  return { translation, file, uri: workspace.uri(file) };
}

it.each([
  [`/home/ann/.cache/go-build/0e/${hash}-d`, true],
  [`C:\\Users\\ann\\go-build\\0e\\${hash}-d`, true],
  ['/tmp/go-build12/b001/_cgo_gotypes.go', true],
  [`/home/ann/.cache/go-build/1f/${hash}-d`, false],
  ['/home/ann/go/src/go-build/a.go', false],
])('cgo makes %s: %s', (file, expected) => {
  expect(gopls.quirks?.generatedFiles?.test(file)).toBe(expected);
});

it('uses in files that the server makes are left out', async () => {
  const { translation, file, uri } = await open();
  const uses = await readUses(
    [
      { uri, range },
      { uri: made, range },
      { uri: 'file:///elsewhere/b.go', range },
    ],
    translation,
  );
  expect(uses.map((span) => span.path)).toEqual([file, '/elsewhere/b.go']);
});

it('edits of files that the server makes are left out of a rename', async () => {
  const { translation, file, uri } = await open();
  const edits = [{ range, newText: 'Sum' }];
  const renamed = await readRename(
    { changes: { [uri]: edits, [made]: edits } },
    translation,
    async (one) => one,
  );
  expect(renamed?.spans.map((span) => span.path)).toEqual([file]);
  expect(renamed?.proposal.steps).toHaveLength(1);
});

it('callers in files that the server makes are left out, and what is called there is not', async () => {
  const { translation, uri } = await open();
  const item = (name: string, at: string) => ({ name, kind: 12, uri: at, range, selectionRange: range });
  const shape = (sitesIn: string | undefined) => ({
    noun: 'calls',
    item: (entry: unknown) => entry,
    sitesIn: ({ uri: own }: Readonly<Record<string, unknown>>) => sitesIn ?? own,
  });
  const entries = [item('own', uri), item('_cgoexp_Add', made)].map((one) => ({
    ...one,
    fromRanges: [range],
  }));
  const incoming = await readHierarchy(entries, shape(undefined), translation);
  expect(incoming.steps.map(({ node }) => node.name)).toEqual(['own']);
  const outgoing = await readHierarchy(entries, shape(uri), translation);
  expect(outgoing.steps.map(({ node }) => node.name).sort()).toEqual(['_cgoexp_Add', 'own']);
});
