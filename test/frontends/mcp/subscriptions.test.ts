import { expect, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import { Subscriptions } from '../../../src/frontends/mcp/subscriptions.ts';
import type { McpResources } from '../../../src/tools/host/resources.ts';

/** A workspace that counts who listens to it. */
function workspace() {
  const listeners = new Set<(path?: string) => void>();
  const nothing = { values: [], total: 0 };
  const sidelights: McpResources = {
    filesWithProblems: async () => [],
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

test('a workspace is listened to by one while something is followed, and by nobody then', async () => {
  const { listeners, sidelights } = workspace();
  const subscriptions = new Subscriptions(
    async () => {},
    () => {},
  );
  subscriptions.follow(sidelights);
  expect(listeners.size).toBe(0);
  for (let times = 0; times < 100; times += 1) {
    expect(await subscriptions.overhear(listen(times, uri('a.txt'), uri('b.txt')))).toBeUndefined();
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
    'Only resources of the template lspan://diagnostics/{+path} can be subscribed.',
  );
  expect(listeners.size).toBe(0);
});

test('a request about files of more worktrees than can be followed is refused as a whole', async () => {
  const { listeners, sidelights } = workspace();
  const beyond = new LspanError('limit_exceeded', 'Four are followed.', { nextStep: 'Unsubscribe first.' });
  const locate = (file: string) =>
    file.startsWith('tree-5') ? Promise.reject(beyond) : sidelights.locate(file);
  // The workspace is opened by the request.
  const subscriptions = new Subscriptions(
    async () => subscriptions.follow({ ...sidelights, locate }),
    () => {},
  );
  expect(await subscriptions.overhear(listen(1, uri('a.txt'), uri('tree-5/a.txt')))).toBe(
    'Four are followed. Unsubscribe first.',
  );
  expect(listeners.size).toBe(0);
  expect(await subscriptions.overhear(listen(2, uri('a.txt')))).toBeUndefined();
  expect(listeners.size).toBe(1);
});

test('a change is told while the path of a file is not known, and then only if it concerns the file', async () => {
  const { listeners, sidelights } = workspace();
  let find = () => {};
  const found = new Promise<string>((resolve) => {
    find = () => resolve('/project/a.txt');
  });
  const paths = new Map([
    ['a.txt', () => found],
    ['absent.txt', () => Promise.reject(new Error('not there'))],
  ]);
  const locate = (file: string) => paths.get(file)?.() ?? sidelights.locate(file);
  const told: string[] = [];
  const subscriptions = new Subscriptions(
    async () => {},
    (one) => void told.push(one),
  );
  subscriptions.follow({ ...sidelights, locate });
  for (const file of ['a.txt', 'absent.txt', 'last.txt']) subscriptions.add(uri(file));
  const toldAfter = async (...files: readonly string[]) => {
    told.length = 0;
    for (const file of files) for (const listener of listeners) listener(`/project/${file}`);
    await expect.poll(() => told).toContain(uri('last.txt'));
    return told;
  };
  expect(await toldAfter('a.txt', 'last.txt')).toEqual(['a.txt', 'absent.txt', 'last.txt'].map(uri));
  find();
  await found;
  expect(await toldAfter('b.txt', 'last.txt')).toEqual(['absent.txt', 'last.txt'].map(uri));
});
