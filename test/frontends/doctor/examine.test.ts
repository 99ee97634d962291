import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openBridge } from '../../../src/bridge.ts';
import { examine } from '../../../src/frontends/doctor/examine.ts';
import { renderReport } from '../../../src/frontends/doctor/render-report.ts';
import type { DoctorReport } from '../../../src/frontends/doctor/report.ts';
import { isRunning } from '../../../src/platform/processes/process-facts.ts';
import { openTestBridge, type TestBridge, type TestSetting, temporaryFolder } from '../../test-bridge.ts';

interface Given {
  readonly fix?: boolean;
  /** With the files of agents. */
  readonly home?: string;
  readonly probeTime?: number;
  readonly progress?: (text: string) => void;
}

/** A project with its own state and cache. */
async function prepare(setting: TestSetting): Promise<TestBridge> {
  const environment = { XDG_CACHE_HOME: temporaryFolder('lspan-cache-'), ...setting.environment };
  return openTestBridge({ ...setting, environment });
}

const script = path.resolve(import.meta.dirname, '../../../dist/bin.js');

function doctor({ settings }: TestBridge, given: Given = {}): Promise<DoctorReport> {
  const { home = temporaryFolder('lspan-home-') } = given;
  return examine({
    settings,
    environment: settings.environment ?? {},
    script,
    machine: { platform: 'linux', environment: {}, home },
    own: { script, node: process.execPath, platform: 'linux', folders: [] },
    isDaemonWanted: false,
    fix: given.fix ?? false,
    signal: new AbortController().signal,
    progress: given.progress ?? (() => {}),
    open: openBridge,
    ...(given.probeTime === undefined ? {} : { probeTime: given.probeTime }),
  });
}

function stateOf({ settings }: TestBridge): string {
  return path.join(settings.environment?.XDG_STATE_HOME ?? '', 'lspan');
}

const plain = (_: unknown, text: string) => text;

const findingOf = ({ findings }: DoctorReport, subject: string) =>
  findings.find((finding) => finding.subject === subject);

describe('a doctor of a workspace with a server', () => {
  it('probes it with a symbol of the code, and leaves no process and no file', async () => {
    const bridge = await prepare({});
    const waits: string[] = [];
    const report = await doctor(bridge, { progress: (text) => waits.push(text) });
    expect(report).toMatchObject({
      ok: true,
      workspace: { roots: [bridge.root], languages: [{ language: 'txt', files: 2, servers: ['fake'] }] },
      servers: [
        {
          id: 'fake',
          trust: 'not_needed',
          probe: {
            symbol: expect.stringMatching(/^(alpha|beta)$/),
            steps: [
              { question: 'outline', outcome: 'answered' },
              { question: 'definition', outcome: 'answered', found: 1 },
              { question: 'references', outcome: 'answered' },
              { question: 'problems', outcome: 'answered' },
            ],
          },
        },
      ],
    });
    expect(waits).toEqual(expect.arrayContaining(['counting files', 'fake: starting', 'ending the servers']));
    expect(bridge.pids()).toHaveLength(1);
    expect(bridge.pids().filter(isRunning)).toEqual([]);
    expect(readdirSync(bridge.root).sort()).toEqual(['a.txt', 'b.txt']);
    expect(existsSync(stateOf(bridge))).toBe(false);
  });

  it('has one shape as JSON', async () => {
    const files = { 'a.txt': 'function alpha\n', 'b.zig': '' };
    const report = await doctor(
      await prepare({ files, servers: { fake: {}, zls: { extensions: ['zig'] } } }),
    );
    const shape = shapeOf(report);
    const golden = path.join(import.meta.dirname, 'report-shape.json');
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, `${JSON.stringify(shape, undefined, 2)}\n`);
    expect(shape).toEqual(JSON.parse(readFileSync(golden, 'utf8')));
  });

  it('prints at most 100 columns, without what could forge a line', async () => {
    const files = { 'a.txt': 'function alpha\n', [`${'long-'.repeat(30)}\u001b[31m.txt`]: 'function beta\n' };
    const report = await doctor(await prepare({ files }));
    const lines = renderReport(report, plain).split('\n');
    expect(lines.filter((line) => line.length > 100 && line.includes(' ', 50))).toEqual([]);
    expect(lines.join('\n')).not.toContain('\u001b');
    expect(lines.at(-2)).toMatch(/^Everything works/);
  });
});

describe('a doctor of a workspace with trouble', () => {
  const files = { 'a.txt': 'function alpha\nalpha beta\n', 'b.md': 'function gamma\ngamma\n' };

  it('says after its limit that a server hangs, and what the others answer', async () => {
    const hangs = { lives: [{ rules: [{ on: { method: 'initialize' }, do: [{ never: true as const }] }] }] };
    const bridge = await prepare({ files, servers: { hung: hangs, good: { extensions: ['md'] } } });
    const report = await doctor(bridge, { probeTime: 2_000 });
    expect(report.ok).toBe(false);
    expect(findingOf(report, 'hung')).toMatchObject({
      level: 'error',
      next_step: expect.stringMatching(/^lspan doctor --workspace .* --log-level debug$/),
    });
    expect(findingOf(report, 'good')).toMatchObject({ level: 'ok' });
    expect([...bridge.pids('hung'), ...bridge.pids('good')].filter(isRunning)).toEqual([]);
  });

  it('says that a server crashes, and what it wrote last', async () => {
    const crashes = { before: 'echo "no such module" >&2; exit 3' };
    const report = await doctor(await prepare({ files, servers: { bad: crashes } }));
    expect(findingOf(report, 'bad')).toMatchObject({
      level: 'error',
      details: expect.arrayContaining([expect.stringContaining('no such module')]),
      next_step: expect.stringContaining('--log-level debug'),
    });
  });

  it('names the command that installs a missing server, or its page where there is none for the platform', async () => {
    const lua = { 'a.lua': 'function alpha() end\n' };
    const environment = { PATH: temporaryFolder('lspan-path-') };
    const setting = { files: lua, servers: {}, config: { disabledServers: [] }, environment };
    const report = await doctor(await prepare(setting));
    expect(report.ok).toBe(false);
    expect(findingOf(report, 'lua-language-server')).toMatchObject({
      level: 'error',
      text: 'not installed: no answers about lua (1 file)',
      next_step:
        process.platform === 'darwin'
          ? 'brew install lua-language-server'
          : 'See https://luals.github.io/#install',
    });
  });

  it('names the command that trusts the folder of a server that would run its code, and does not start it', async () => {
    const zig = { 'a.zig': 'const alpha = 1;\n', 'build.zig': '' };
    const setting = { files: zig, servers: { zls: { extensions: ['zig'] } } };
    const bridge = await prepare(setting);
    const report = await doctor(bridge);
    expect(findingOf(report, 'zls')).toMatchObject({
      level: 'error',
      next_step: `lspan trust ${bridge.root}`,
    });
    expect(report.servers).toMatchObject([{ state: 'not_trusted', trust: 'not_granted' }]);
    expect(bridge.pids('zls')).toEqual([]);
    const trusted = await doctor(await prepare({ ...setting, trusted: true }));
    expect(trusted.servers).toMatchObject([{ trust: 'granted' }]);
  });

  it('misses no server of texts beside code', async () => {
    const both = { 'a.txt': 'function alpha\n', 'b.md': 'x\n' };
    const markdown = { extensions: ['md'], command: ['/nowhere/marksman'] };
    const report = await doctor(await prepare({ files: both, servers: { fake: {}, marksman: markdown } }));
    expect(report.ok).toBe(true);
    expect(findingOf(report, 'marksman')).toMatchObject({ level: 'warning' });
  });

  it('says that no language is known, and starts nothing', async () => {
    const report = await doctor(await prepare({ files: { 'a.unknown': '' } }));
    expect(report).toMatchObject({ ok: true, servers: [] });
    expect(findingOf(report, 'workspace')).toMatchObject({ level: 'warning' });
  });
});

describe('a doctor that may repair', () => {
  it('makes the state folder for its owner alone, and closes one that others may write to', async () => {
    const bridge = await prepare({ files: {} });
    const state = stateOf(bridge);
    const first = await doctor(bridge, { fix: true });
    expect(first.fixed).toEqual([expect.stringContaining(`made ${state}`)]);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    chmodSync(state, 0o777);
    const open = await doctor(bridge);
    expect(findingOf(open, 'state')).toMatchObject({ level: 'error', next_step: 'lspan doctor --fix' });
    expect(open.fixed).toEqual([]);
    const second = await doctor(bridge, { fix: true });
    expect(second.fixed).toEqual([expect.stringContaining(`closed ${state}`)]);
    expect(findingOf(second, 'state')).toMatchObject({ level: 'ok' });
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  it('undoes an edit that was interrupted, which it only tells otherwise', async () => {
    const bridge = await prepare({});
    const edits = [{ file_path: 'a.txt', old_text: 'function alpha', new_text: 'function omega' }];
    await bridge.call('apply_workspace_edit', { edits, dry_run: false, check: false });
    const journals = path.join(stateOf(bridge), 'edits');
    const [done = ''] = readdirSync(journals).filter((name) => name.endsWith('.done'));
    const id = path.basename(done, '.done');
    // As if its process had ended before it was recorded that all steps were done.
    renameSync(path.join(journals, done), path.join(journals, `${id}.prepared`));
    const told = await doctor(bridge);
    expect(findingOf(told, 'edits')).toMatchObject({ level: 'error', next_step: 'lspan doctor --fix' });
    expect(told.system.edits).toEqual({ undoable: 0, interrupted: [id] });
    expect(readdirSync(journals)).toContain(`${id}.prepared`);
    const fixed = await doctor(bridge, { fix: true });
    expect(fixed.fixed).toEqual([`undid the interrupted edit ${id}`]);
    expect(findingOf(fixed, 'edits')).toMatchObject({ level: 'ok' });
    expect(readdirSync(journals)).not.toContain(`${id}.prepared`);
  });

  it('leaves a state folder in the workspace alone', async () => {
    const bridge = await prepare({ environment: { XDG_STATE_HOME: '<root>/state' } });
    mkdirSync(path.join(bridge.root, 'state'));
    const report = await doctor(bridge, { fix: true });
    expect(findingOf(report, 'state')).toMatchObject({ level: 'error' });
    expect(readdirSync(path.join(bridge.root, 'state'))).toEqual([]);
  });
});

/** The keys of a value, with the types of what they hold; the items of a list have one shape together. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return mergedShapes(value.map(shapeOf));
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, shapeOf(held)]));
}

function mergedShapes(shapes: readonly unknown[]): readonly unknown[] {
  const objects = shapes.filter((shape) => typeof shape === 'object');
  return objects.length > 0 ? [Object.assign({}, ...objects)] : shapes.slice(0, 1);
}
