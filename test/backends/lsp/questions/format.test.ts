import { expect, it } from 'vitest';
import { on, openActionsWorld } from './asking-actions.ts';

const files = { 'a.txt': 'function alpha\n\tbeta \n    gamma\n' };
const text = (edit: { readonly newText: string }) => edit.newText;
const range = { start: { line: 2, character: 0 }, end: { line: 2, character: 5 } };

it('a document is laid out by the options that were given', async () => {
  const world = await openActionsWorld({ files });
  const layout = { tabSize: 3, insertSpaces: true, trimTrailingWhitespace: true };
  expect(await world.format('a.txt', { layout })).toMatchObject({
    steps: [
      {
        kind: 'edit',
        edits: [{ newText: '   ' }, { newText: '' }, { newText: '   ' }],
        seen: expect.any(String),
      },
    ],
  });
  expect(world.asked('textDocument/formatting')).toMatchObject([{ options: layout }]);
});

it('a part of it is laid out by a request of its own', async () => {
  const world = await openActionsWorld({ files });
  const { steps } = await world.format('a.txt', { range });
  expect(steps.flatMap((step) => (step.kind === 'edit' ? step.edits.map(text) : []))).toEqual(['  ']);
  expect(world.asked('textDocument/rangeFormatting')).toMatchObject([{ range }]);
  expect(world.asked('textDocument/formatting')).toEqual([]);
});

it('a server that lays out no parts says so, with what to do', async () => {
  const capabilities = { documentRangeFormattingProvider: null };
  const world = await openActionsWorld({ files, servers: { fake: { lives: [{ capabilities }] } } });
  await expect(world.format('a.txt', { range })).rejects.toMatchObject({
    code: 'not_supported',
    nextStep: 'Omit the lines to format the whole document.',
  });
});

it('one server lays out: the first that is able, also where it has nothing to change', async () => {
  const unable = { lives: [{ capabilities: { documentFormattingProvider: null } }], rank: 3 };
  const content = { lives: [{ rules: [on('textDocument/formatting', { replyValue: null })] }], rank: 2 };
  const world = await openActionsWorld({ files, servers: { other: { rank: 1 }, content, unable } });
  expect(await world.format('a.txt')).toEqual({ steps: [], confirm: [] });
  expect(world.asked('textDocument/formatting', 'other')).toEqual([]);
});

it('where the first that is able refuses, no other does it in its way', async () => {
  const message = 'There is a syntax error.';
  const rules = [on('textDocument/formatting', { replyError: { code: -32603, message } })];
  const world = await openActionsWorld({
    files,
    servers: { other: { rank: 1 }, first: { lives: [{ rules }], rank: 2 } },
  });
  await expect(world.format('a.txt')).rejects.toMatchObject({
    code: 'refused',
    message: 'first refuses to format this: There is a syntax error.',
  });
  expect(world.asked('textDocument/formatting', 'other')).toEqual([]);
});
