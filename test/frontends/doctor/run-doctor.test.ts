import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDoctor } from '../../../src/frontends/cli/commands/run-doctor.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import type { DoctorReport } from '../../../src/frontends/doctor/report.ts';
import { paintFor, progressLine } from '../../../src/frontends/observe/terminal.ts';
import { temporaryFolder } from '../../test-bridge.ts';

/** Runs the command in a folder, as a user with a state and a configuration of their own. */
async function run(cwd: string, ...words: readonly string[]) {
  const command = parseCommandLine(['doctor', ...words]);
  if (command.kind !== 'doctor') return expect.unreachable();
  const environment = {
    ...process.env,
    XDG_STATE_HOME: temporaryFolder('lspan-state-'),
    XDG_CACHE_HOME: temporaryFolder('lspan-cache-'),
    XDG_CONFIG_HOME: temporaryFolder('lspan-config-'),
    CLAUDE_PROJECT_DIR: '',
  };
  const home = path.join(environment.XDG_CONFIG_HOME, 'home');
  mkdirSync(home);
  let told = '';
  const write = async (text: string) => {
    told += text;
  };
  const code = await runDoctor(command, { environment, cwd, home }, write);
  return { code, told };
}

describe('lspan doctor', () => {
  it('probes the real server of TypeScript with a symbol of the demo', async () => {
    const root = temporaryFolder('lspan-demo-');
    cpSync(path.resolve(import.meta.dirname, '../../../demo'), root, { recursive: true });
    const { code, told } = await run(root, '--workspace', root, '--json');
    const report: DoctorReport = JSON.parse(told);
    expect(report.servers[0]).toMatchObject({
      id: 'typescript',
      languages: ['typescript'],
      origin: expect.stringContaining("lspan's installation"),
      version: expect.stringMatching(/\d+\.\d+\.\d+/),
      memory_mb: expect.any(Number),
      probe: {
        file_path: expect.stringMatching(/^src\/\w+\.ts$/),
        symbol: expect.any(String),
        steps: [
          { question: 'outline', outcome: 'answered' },
          { question: 'definition', outcome: 'answered', found: 1 },
          { question: 'references', outcome: 'answered' },
          { question: 'problems', outcome: 'answered' },
        ],
        doubts: [],
      },
    });
    expect(report.findings.filter(({ level }) => level === 'error')).toEqual([]);
    expect(code).toBe(0);
  });

  it('ends with 1 if something is wrong, and says what to do', async () => {
    const root = temporaryFolder('lspan-project-');
    writeFileSync(path.join(root, 'a.txt'), 'function alpha\n');
    const config = path.join(temporaryFolder('lspan-config-'), 'c.json');
    const server = { id: 'mine', extensions: ['txt'], command: ['no-such-server-program'] };
    writeFileSync(config, JSON.stringify({ confine: 'never', servers: [server] }));
    const { code, told } = await run(root, '--workspace', root, '--config', config);
    expect(code).toBe(1);
    expect(told).toMatch(/^ {2}FAIL {2}mine +not installed: no answers about \w+ \(1 file\)$/m);
    expect(told).toMatch(/^ +→ .*no-such-server-program/m);
    expect(told).toMatch(/\n1 problem.*\.\n$/);
  });

  it('refuses a whole disk, a home and no workspace like every command', async () => {
    await expect(run('/')).rejects.toMatchObject({ code: 'outside_workspace' });
    await expect(run('/', '--workspace', '/')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a terminal', () => {
  it('shows colours, unless the user does not want them or it is none', () => {
    expect(paintFor({ isTTY: true }, {})('red', 'x')).toBe('\u001b[31mx\u001b[0m');
    expect(paintFor({ isTTY: true }, { NO_COLOR: '1' })('red', 'x')).toBe('x');
    expect(paintFor({ isTTY: true }, { TERM: 'dumb' })('red', 'x')).toBe('x');
    expect(paintFor({ isTTY: false }, {})('red', 'x')).toBe('x');
  });

  it('shows progress in one line, without what a server could forge', () => {
    const written: string[] = [];
    const stream = { isTTY: true, columns: 12, write: (text: string) => written.push(text) > 0 };
    const line = progressLine(stream, {});
    line.show('a: waiting\u001b[2J for it');
    line.clear();
    expect(written).toEqual(['\r\u001b[K… a: waitin', '\r\u001b[K']);
    progressLine({ ...stream, isTTY: false }, {}).show('x');
    expect(written).toHaveLength(2);
  });
});
