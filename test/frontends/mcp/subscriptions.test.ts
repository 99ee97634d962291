import { expect, test } from 'vitest';
import { Subscriptions } from '../../../src/frontends/mcp/subscriptions.ts';
import type { McpResources } from '../../../src/tools/host/resources.ts';

/** A workspace that counts who listens to it. */
function workspace() {
  const listeners = new Set<() => void>();
  const nothing = { values: [], total: 0 };
  const sidelights: McpResources = {
    filesWithProblems: () => [],
    problemsOf: () => Promise.reject(new Error('not asked for')),
    locate: async (file) => `/project/${file}`,
    onProblems: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    completePath: async () => nothing,
    completeSymbol: async () => nothing,
  };
  return { listeners, sidelights };
}

const uri = (file: string) => `lspan://diagnostics/${file}`;
const listen = (id: number, ...uris: readonly string[]) => ({
  jsonrpc: '2.0' as const,
  id,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris } },
});

test('a workspace is listened to by one while something is followed, and by nobody then', () => {
  const { listeners, sidelights } = workspace();
  const subscriptions = new Subscriptions(
    async () => {},
    () => {},
  );
  subscriptions.follow(sidelights);
  expect(listeners.size).toBe(0);
  for (let times = 0; times < 100; times += 1) {
    expect(subscriptions.overhear(listen(times, uri('a.txt'), uri('b.txt')))).toBeUndefined();
    expect(listeners.size).toBe(1);
    if (times > 0) subscriptions.end(times - 1);
  }
  subscriptions.end(99);
  expect(listeners.size).toBe(0);
});

test('who has gone while the workspace was being opened follows nothing in it', () => {
  const { listeners, sidelights } = workspace();
  const subscriptions = new Subscriptions(
    async () => {},
    () => {},
  );
  subscriptions.follow(sidelights);
  subscriptions.close();
  expect(subscriptions.add(uri('a.txt'))).toBe(false);
  expect(listeners.size).toBe(0);
});

test('what is no resource is not acknowledged as if it would be told of', () => {
  const { listeners, sidelights } = workspace();
  const subscriptions = new Subscriptions(
    async () => {},
    () => {},
  );
  subscriptions.follow(sidelights);
  expect(subscriptions.overhear(listen(1, uri('a.txt'), 'file:///a.txt'))).toBe(
    'Only resources of the template lspan://diagnostics/{+path} can be followed.',
  );
  expect(listeners.size).toBe(0);
});
