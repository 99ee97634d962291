import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { withSeed } from '../../with-seed.ts';
import { type OpenGateway, openGateway } from './open-gateway.ts';

const numbers = Array.from({ length: 30 }, (_, index) => index);
const files = {
  'a.txt': `function alpha\n${numbers.map((index) => `function caller${index}\nalpha\n`).join('')}`,
  'ä b.txt': numbers.map(() => 'alpha ERROR_1 ERROR_1\n').join(''),
  ...Object.fromEntries(numbers.map((index) => [`f${index}.txt`, `alpha WARN_${index}\n`])),
  'other.txt': 'nothing\n',
};
const diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: true };
const servers = {
  fake: { ready: { kind: 'immediate' }, lives: [{ capabilities: { diagnosticProvider } }] },
} as const;
const alpha = { line: 0, character: 10 };

/** A question of each tool that answers by pages. */
const questions: readonly (readonly [tool: string, input: (bridge: OpenGateway) => object])[] = [
  ['references', ({ uri }) => ({ uri: uri('a.txt'), position: alpha })],
  ['references', ({ uri }) => ({ uri: uri('a.txt'), position: alpha, includeDeclaration: true })],
  ['workspaceSymbols', () => ({ query: 'caller' })],
  ['diagnostics.workspace', () => ({})],
];

interface Step {
  readonly pageSize: number;
  readonly between: 'nothing' | 'an edit' | 'another question';
}

const step: fc.Arbitrary<Step> = fc.record({
  pageSize: fc.integer({ min: 1, max: 40 }),
  between: fc.constantFrom('nothing', 'an edit', 'another question'),
});

/** The items of all pages. Nothing of what happens between them concerns the list. */
async function readPages(bridge: OpenGateway, tool: string, asked: object, steps: readonly Step[]) {
  const told: unknown[] = [];
  let cursor: unknown;
  for (let at = 0; at === 0 || cursor !== undefined; at += 1) {
    const { pageSize, between } = steps[at % steps.length] ?? { pageSize: 40, between: 'nothing' };
    if (between === 'an edit') bridge.write('other.txt', `nothing ${Math.random()}\n`);
    if (between === 'another question') await bridge.ask('documentSymbols', { uri: bridge.uri('f1.txt') });
    const page = await bridge.ask(tool, { ...asked, pageSize, ...(at === 0 ? {} : { cursor }) });
    const items = Array.isArray(page.items) ? page.items : [];
    told.push(...items);
    cursor = page.nextCursor;
    expect(page.pageSize).toBe(pageSize);
    expect(items.length).toBe(Math.min(pageSize, Number(page.total) - told.length + items.length));
  }
  return told;
}

describe('pages', () => {
  it('RES-02 make up the list, whatever their sizes are and whatever else happens', {
    timeout: 120_000,
  }, async () => {
    const bridge = await openGateway({ files, servers });
    const steps = fc.array(step, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...questions), steps, async ([tool, input], taken) => {
        const { items, nextCursor } = await bridge.ask(tool, input(bridge));
        expect(nextCursor).toBeUndefined();
        expect(await readPages(bridge, tool, input(bridge), taken)).toEqual(items);
      }),
      withSeed({ numRuns: 12, endOnFailure: true }),
    );
  });

  it('continue even if lspan has opened the document meanwhile, and after a pause', async () => {
    const bridge = await openGateway({ files, servers });
    const uri = bridge.uri('a.txt');
    const asked = { uri: bridge.uri('f1.txt'), position: { line: 0, character: 1 }, pageSize: 5 };
    const { nextCursor: cursor } = await bridge.ask('references', asked);
    await bridge.ask('hover', { uri, position: alpha });
    await bridge.ask('diagnostics.document', { uri: bridge.uri('f2.txt') });
    bridge.write('new.txt', 'no mention\n');
    const second = await bridge.ask('references', { ...asked, cursor });
    expect(second.items).toHaveLength(5);
    expect((await bridge.ask('references', { ...asked, cursor })).items).toEqual(second.items);
  });

  it('are stable: the same question over the same files gives the same bytes', async () => {
    const bridge = await openGateway({ files, servers });
    for (const [tool, input] of questions) {
      const first = JSON.stringify(await bridge.ask(tool, { ...input(bridge), pageSize: 3 }));
      expect(JSON.stringify(await bridge.ask(tool, { ...input(bridge), pageSize: 3 }))).toBe(first);
    }
  });

  it('are ordered by the URIs that are shown', async () => {
    const bridge = await openGateway({ files, servers });
    const { items } = await bridge.ask('diagnostics.workspace', {});
    const uris = Array.isArray(items) ? items.map(({ uri }) => uri) : [];
    expect(uris).toEqual([...uris].sort());
    expect(uris).toContain(bridge.uri('%C3%A4%20b.txt'));
    expect(new Set(uris).size).toBe(uris.length);
  });

  it('whose items are too large are refused with a next step that works', async () => {
    const message = 'x'.repeat(3_000);
    const item = (line: number) => ({
      range: { start: { line, character: 0 }, end: { line, character: 1 } },
      severity: 1,
      message,
    });
    const report = (file: string) => ({
      uri: `file://<root>/${file}`,
      version: null,
      kind: 'full',
      items: Array.from({ length: 100 }, (_, line) => item(line)),
    });
    const replyValue = { items: [report('a.txt'), report('b.txt')] };
    const rules = [{ on: { method: 'workspace/diagnostic' }, do: [{ replyValue }] }];
    const text = 'word\n'.repeat(100);
    const bridge = await openGateway({
      files: { 'a.txt': text, 'b.txt': text },
      servers: { fake: { lives: [{ capabilities: { diagnosticProvider }, rules }] } },
    });
    const refused = await bridge.refuse('diagnostics.workspace', {}, 'CAP_EXCEEDED');
    expect(refused.text).toMatch(/Next: Ask for a smaller pageSize\.$/);
    const { items, nextCursor } = await bridge.ask('diagnostics.workspace', { pageSize: 1 });
    expect(items).toHaveLength(1);
    expect(nextCursor).toEqual(expect.any(String));
  });
});

it('a hover of exactly the most bytes is whole, and one of a byte more is cut', async () => {
  const hover = (size: number) => ({ contents: { kind: 'markdown', value: 'x'.repeat(size) } });
  const sizeOf = async (size: number) => {
    const rules = [{ on: { method: 'textDocument/hover' }, do: [{ replyValue: hover(size) }] }];
    const bridge = await openGateway({ servers: { fake: { lives: [{ rules }] } } });
    const asked = { uri: bridge.uri('a.txt'), position: alpha };
    const { text, data, isError } = await bridge.call('vscode.lsp.hover', asked);
    const result = { content: [{ type: 'text', text }], structuredContent: data };
    return isError || data.truncated ? undefined : Buffer.byteLength(JSON.stringify(result));
  };
  const beside = ((await sizeOf(1)) ?? 0) - 1;
  const most = limits.gateway.response - beside;
  expect(await sizeOf(most)).toBe(limits.gateway.response);
  expect(await sizeOf(most + 1)).toBeUndefined();
});
