import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge, type TraceEntry } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';
import { type Monorepo, monorepo, sharedName, type Wish, writeMonorepo } from './monorepo.ts';

const first = 'on the very first call after a cold start';

/** With the servers that must stand back. */
const servers = {
  typescript: ['typescript-language-server', 'vtsls'],
  'typescript-language-server': ['typescript', 'vtsls'],
} as const;

type Asking = (made: Monorepo) => object;
const atDeclaration: Asking = ({ declaration }) => declaration;
const byName: Asking = () => ({ symbol_name: sharedName });
const atUse: Asking = ({ use }) => use;
const byNameInFile: Asking = ({ declaration: { file_path } }) => ({ symbol_name: sharedName, file_path });

const arrangements = [
  'relative imports',
  'a solution file',
  'project references',
  'linked workspaces',
  'paths in a base configuration',
  'an export that another package renames',
  'nested jsconfig.json',
  'linked workspaces that are not built',
  'a default export under other names',
] as const;

describe.each(arrangements)('30 packages with %s, of which 25 use one function', (arrangement) => {
  it.each([
    ['by position', atDeclaration],
    ['by name', byName],
  ] as const)(
    `TypeScript 7, asked %s, gives the references in all of them ${first}`,
    async (_how, asking) => {
      const { bridge, made } = await open({ arrangement });
      await expectAll(bridge, made, asking);
    },
  );
});

// The other arrangements take it seconds each and teach nothing new.
describe.each(arrangements.filter((_, index) => index % 2 === 0))('30 packages with %s', (arrangement) => {
  it(`typescript-language-server gives the references in all of them ${first}`, async () => {
    const { bridge, made } = await open({ arrangement }, 'typescript-language-server');
    await expectAll(bridge, made, atDeclaration);
  }, 120_000);
});

describe('the references of a function that many packages use', () => {
  it.each([
    ['by position at a use', atUse],
    ['by name in its file', byNameInFile],
  ])(`are whole when asked %s ${first}`, async (_how, asking) => {
    const { bridge, made } = await open({ arrangement: 'linked workspaces' });
    await expectAll(bridge, made, asking);
  });

  it(`are whole in 120 packages of which 10 mention it ${first}, and no other package is loaded`, async () => {
    const { bridge, made, opened } = await open({
      arrangement: 'relative imports',
      packages: 120,
      users: 10,
    });
    await expectAll(bridge, made, atDeclaration);
    expect(opened.size).toBeLessThanOrEqual(11);
  });

  it.each([
    ['100 packages that all use it', { arrangement: 'relative imports', packages: 101, users: 100 }],
    [
      '120 packages of which 10 use it under other names',
      { arrangement: 'a default export under other names', packages: 120, users: 10 },
    ],
  ] as const)(`are whole, or doubted, in %s ${first}`, async (_which, wish) => {
    const { bridge, made } = await open(wish);
    const { data } = await bridge.call('find_references', made.declaration);
    const { total, complete } = JSON.parse(JSON.stringify(data));
    if (complete) expect(total).toBe(made.places.length);
    else expect(data).toMatchObject({ doubts: [{ kind: 'project_not_loaded' }] });
  });

  it('grow and shrink with packages that come, change and go between two calls', async () => {
    const wish = { arrangement: 'linked workspaces', packages: 12, users: 5 } as const;
    const { bridge, made, root } = await open(wish);
    await expectAll(bridge, made, atDeclaration);
    for (const users of [8, 11, 2, 5]) {
      const changed = monorepo({ ...wish, users });
      writeMonorepo(root, { ...changed, links: {} });
      await expectAll(bridge, changed, atDeclaration);
    }
  });
});

/** A bridge on a monorepo that nobody has looked at before, with the documents that its server is told. */
async function open(wish: Wish, server: keyof typeof servers = 'typescript') {
  const root = temporaryFolder();
  const made = monorepo(wish);
  writeMonorepo(root, made);
  const opened = new Set<string>();
  const bridge = await openBridge({
    roots: [root],
    surface: 'lspan',
    log: silent,
    overrides: { ...patient, disabledServers: servers[server] },
    trace: ({ message }: TraceEntry) => {
      const uri = /"textDocument\/didOpen".*?"uri":"(.*?)"/.exec(JSON.stringify(message))?.[1];
      if (uri !== undefined) opened.add(uri);
    },
  });
  onTestFinished(() => bridge.close({ hurried: true }));
  return { bridge, made, root, opened };
}

async function expectAll(bridge: Bridge, made: Monorepo, asking: Asking): Promise<void> {
  const { data } = await bridge.call('find_references', { max_tokens: 20_000, ...asking(made) });
  const { references = [] } = JSON.parse(JSON.stringify(data));
  const places = references.map((one: Monorepo['use']) => `${one.file_path}:${one.line}`);
  expect(places.sort()).toEqual(made.places);
  expect(data).toMatchObject({ complete: true });
}
