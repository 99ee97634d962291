import { expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { ContextsByCaller } from '../../../src/tools/run/callers.ts';
import { openTestWorld } from '../../test-bridge.ts';

const MiB = 1024 * 1024;

it('the state of forty scopes takes no more memory than that of one may, and none of the latest loses its share', async () => {
  const { edits, ...common } = await openTestWorld();
  const worlds = new ContextsByCaller({
    ...common,
    edits: {
      ...edits,
      keepingIn: () => edits,
      madeBy: () => [],
      interrupted: () => ({ edits: [], unreadable: [] }),
    },
  });
  const never = () => Promise.reject(new Error('not asked'));
  const scopes = Array.from({ length: 40 }, (_, index) => `${index}`);
  const ids = ['1', '2', '3', '4'];
  for (const scope of scopes)
    for (const id of ids)
      worlds
        .of(scope)
        .lists.keep({ id, question: '', generation: 0, bytes: MiB, renderPage: never, askAgain: never });
  const latest = scopes.slice(-limits.http.tokens);
  const found = latest.map((scope) => ids.filter((id) => isFound(() => worlds.of(scope).lists.find(id))));
  expect(new Set(found.map(String))).toEqual(new Set(['3,4']));
  expect(found.flat().length * MiB).toBe(limits.listSnapshots.bytes);
  expect(() => worlds.of('0').lists.find('4')).toThrow(expect.objectContaining({ code: 'cursor_expired' }));
});

function isFound(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}
