import { expect, it } from 'vitest';
import type { ServerStatus } from '../../../src/core/backend.ts';
import { hostServer } from '../../../src/tools/host/open-host-api.ts';
import { openTestDesk } from './open-host-api.ts';

const status: ServerStatus = {
  id: 'fake',
  root: '/work',
  languages: ['text'],
  state: 'ready',
  doubts: [],
  restarts: 0,
  openDocuments: 0,
  daemonsEnded: [],
  lastErrors: [],
  lastWords: [],
  writes: [],
  spare: false,
};

it.each<[Partial<ServerStatus>, string, string]>([
  [{ version: 'fake 1.2', memoryBytes: 80 * 1024 ** 2 }, 'ok', 'Ready (fake 1.2, 80 MB).'],
  [{ state: 'running' }, 'ok', 'Running.'],
  [
    { doubts: [{ kind: 'not_trusted', detail: 'Plugins are not run.' }] },
    'ok',
    'Ready. Its answers may be incomplete. Plugins are not run.',
  ],
  [{ state: 'starting' }, 'starting', 'Starting.'],
  [
    { state: 'indexing', loading: { doing: 'cargo check 3/9', seconds: 12 } },
    'starting',
    'Loading the project, 12 s so far. It says: cargo check 3/9.',
  ],
  [{ state: 'not_started' }, 'idle', 'Starts when needed.'],
  [{ state: 'not_started', standbyFor: 'vtsls' }, 'idle', 'Standby: vtsls is asked instead.'],
  [{ state: 'stopped' }, 'idle', 'Stopped; restarts when needed.'],
  [
    { state: 'crashed', lastErrors: ['fake ended with code 3.'], leftAloneSeconds: 42 },
    'broken',
    'fake ended with code 3. It can restart in 42 s.',
  ],
  [{ state: 'crashed' }, 'broken', 'Crashed. It restarts when needed.'],
  [
    { state: 'not_installed', install: 'Install it with `npm install --global fake`.' },
    'broken',
    'Not installed. Install it with `npm install --global fake`.',
  ],
  [
    { state: 'not_installed', lastErrors: ['No program was found.'], install: 'See https://example.org/x' },
    'broken',
    'No program was found. See https://example.org/x',
  ],
  [{ state: 'not_trusted', lastErrors: ['Allow it.'] }, 'broken', 'Allow it.'],
])('a server of %o is %s', (facts, state, detail) => {
  expect(hostServer({ ...status, ...facts }, false)).toEqual({ serverId: 'fake', state, detail });
});

it('a server names its root if there are several, and hides no characters', () => {
  const told = hostServer({ ...status, state: 'crashed', lastErrors: ['a\u202Eb\nc'] }, true);
  expect(told.detail).toBe('/work: a\\u{202e}b\\u{a}c. It restarts when needed.');
});

it('servers are idle until they are needed, then fine, and broken after a crash', async () => {
  const rules = [{ on: { method: 'textDocument/diagnostic', nth: 2 }, do: [{ exit: { code: 3 } }] }];
  const { desk } = await openTestDesk({ servers: { fake: { lives: [{ rules }, { rules: [crash] }] } } });
  expect(await desk.servers()).toEqual([{ serverId: 'fake', state: 'idle', detail: 'Starts when needed.' }]);
  await desk.check('good.txt', undefined);
  expect(await desk.servers()).toMatchObject([
    { serverId: 'fake', state: 'ok', detail: expect.stringMatching(/^Ready|^Running/) },
  ]);
  await expect(desk.check('bad.txt', undefined)).rejects.toMatchObject({ code: 'server_crashed' });
  expect(await desk.servers()).toMatchObject([{ serverId: 'fake', state: 'broken' }]);
});

const crash = { on: { method: 'textDocument/diagnostic' }, do: [{ exit: { code: 4 } }] };

it('a missing server says how to install it, and one that is not needed is left out', async () => {
  const missing = (install: string) => ({ command: ['/nowhere/at-all'], install });
  const { desk } = await openTestDesk({
    servers: {
      alpha: missing('Buy alpha.'),
      beta: { group: 'words', rank: 1 },
      delta: { ...missing('Buy delta.'), group: 'words', rank: 2 },
    },
  });
  const told = await desk.servers();
  expect(told.map(({ serverId, state }) => `${serverId} ${state}`)).toEqual(['alpha broken', 'beta idle']);
  expect(told[0]?.detail).toMatch(/Buy alpha\.$/);
});
