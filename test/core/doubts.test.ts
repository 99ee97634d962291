import { expect, it } from 'vitest';
import { type Doubt, uniqueDoubts } from '../../src/core/doubts.ts';

function loading(server: string, done: number): Doubt {
  return { kind: 'indexing', server, detail: `${server} is loading (${done}/47)`, loading: done };
}

it('a server that is loading is told once, with the newest numbers', () => {
  const unread: Doubt = { kind: 'indexing', server: 'clangd', detail: 'a.c was not checked' };
  const doubts = [
    loading('clangd', 16),
    loading('clangd', 19),
    unread,
    loading('gopls', 1),
    loading('clangd', 2),
  ];
  const details = uniqueDoubts(doubts).map(({ detail }) => detail);
  expect(details).toEqual(['clangd is loading (19/47)', 'a.c was not checked', 'gopls is loading (1/47)']);
});

it('equal doubts are told once', () => {
  const doubt: Doubt = { kind: 'capped', detail: 'There are more.' };
  expect(uniqueDoubts([doubt, { ...doubt }])).toEqual([doubt]);
});
