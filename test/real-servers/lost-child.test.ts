import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bridge, openBridge, type TraceEntry } from '../../src/bridge.ts';
import { silent } from '../../src/core/log.ts';
import type { Outcome } from '../../src/tools/run-tool.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** A bridge on typescript-language-server, whose answers all come from a child of its own. */
async function open(trace: (entry: TraceEntry) => void = () => {}): Promise<Bridge> {
  const root = realpathSync(temporaryFolder());
  writeFileSync(path.join(root, 'tsconfig.json'), '{}');
  writeFileSync(path.join(root, 'a.ts'), 'export const shared = 1;\n');
  writeFileSync(path.join(root, 'b.ts'), "import { shared } from './a';\nexport const used = shared;\n");
  const overrides = { disabledServers: ['typescript', 'vtsls'] };
  const bridge = await openBridge({ roots: [root], surface: 'lspan', log: silent, overrides, trace });
  onTestFinished(() => bridge.close({ hurried: true }));
  return bridge;
}

const place = { file_path: 'b.ts', line: 2, character: 21 };
const questions: readonly [string, object, object][] = [
  ['find_references', place, { total: 3 }],
  ['find_definition', place, { definitions: [{ file_path: 'a.ts', line: 1 }] }],
  ['get_document_symbols', { file_path: 'a.ts' }, { symbols: [{ name: 'shared' }] }],
  ['search_workspace_symbols', { query: 'shared' }, { symbols: [{ name: 'shared' }] }],
  ['get_hover', place, { hover: { text: expect.stringContaining('shared') } }],
];

describe.skipIf(process.platform !== 'linux')(
  'PRO-29 typescript-language-server whose tsserver is killed',
  () => {
    it.each(questions)(
      '%s is right or an error that names it, and soon whole again',
      async (tool, input, right) => {
        const bridge = await open();
        expect((await bridge.call(tool, input)).data).toMatchObject({ complete: true, ...right });
        for (const pid of tsservers()) process.kill(pid, 'SIGKILL');
        // The server keeps outlines, so it may be the second call that finds the child gone.
        for (let call = 1; call <= 2; call += 1) expectRightOrNamed(await bridge.call(tool, input), right);
        expect((await bridge.call(tool, input)).data).toMatchObject({ complete: true, ...right });
      },
      120_000,
    );
  },
);

it.skipIf(process.platform !== 'linux')(
  'PRO-28 typescript-language-server whose tsserver is killed while it loads is not taken for loaded',
  async () => {
    let killed = 0;
    const bridge = await open(({ message }) => {
      if (killed > 0 || !isBegin(message)) return;
      for (const pid of tsservers()) killed += Number(process.kill(pid, 'SIGKILL'));
    });
    const references: [string, object] = ['find_references', place];
    expectRightOrNamed(await bridge.call(...references), { total: 3 });
    expect(killed).toBeGreaterThan(0);
    expect((await bridge.call(...references)).data).toMatchObject({ complete: true, total: 3 });
  },
  120_000,
);

function isBegin(message: unknown): boolean {
  return /"method":"\$\/progress".*"kind":"begin"/.test(JSON.stringify(message));
}

/** Never nothing: that would be believed. */
function expectRightOrNamed({ data, text, isError }: Outcome, right: object): void {
  if (isError) expect(text).toContain('typescript-language-server');
  else expect(data).toMatchObject(right);
}

/** The processes that run tsserver for this one. */
function tsservers(): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0));
  const found = all.filter((pid) => isOurs(pid) && /tsserver\.js/.test(read(`/proc/${pid}/cmdline`)));
  if (found.length === 0) throw new Error('No tsserver runs.');
  return found;
}

function parentOf(pid: number): number {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
}

/** Processes end while they are looked at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
