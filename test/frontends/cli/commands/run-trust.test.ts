import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runTrust } from '../../../../src/frontends/cli/commands/run-trust.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { temporaryFolder } from '../../../config/temporary-folder.ts';

vi.mock('../../../../src/servers/index.ts', () => import('../../../faults/trusting-definitions.ts'));

const project = {
  'a.txt': '',
  'b.src': '',
  '.git/HEAD': '',
  'rules.cfg': 'strict',
  'build.cfg': 'run me',
  'deep/plugin.js': '',
};

/** A command line whose user gives this answer, or without a terminal. */
function openShell(files: Readonly<Record<string, string>> = project) {
  const root = temporaryFolder(files);
  const state = temporaryFolder();
  const around = { environment: { XDG_STATE_HOME: state, XDG_CONFIG_HOME: state }, cwd: root, home: state };
  const run = async (words: string, answer?: string, more: Partial<typeof around> = {}) => {
    const told: string[] = [];
    const write = async (text: string) => void told.push(text);
    const ask = async (question: string) => {
      told.push(question);
      return answer ?? '';
    };
    const command = parseCommandLine(['trust', ...words.split(' ').filter((word) => word !== '')]);
    if (command.kind !== 'trust') return expect.unreachable();
    const terminal = { write, ask: answer === undefined ? undefined : ask };
    const code = await runTrust(command, { ...around, ...more }, terminal).catch((error: unknown) => {
      told.push(error instanceof Error ? error.message : '');
      return -1;
    });
    return { code, told: told.join('') };
  };
  const stored = () => readFileSync(path.join(state, 'lspan/trust.json'), 'utf8');
  return { root, state, run, stored };
}

describe('lspan trust', () => {
  it('shows which server would run what and which files determine it, asks, and records the answer', async () => {
    const { root, run, stored } = openShell();
    const { code, told } = await run('', 'y');
    expect(told).toBe(`${root}
  linter would run the rules of this repository.
    bound to "deep/plugin.js", "rules.cfg"
  builder, until then: builder leaves the scripts out.
    bound to "build.cfg"
If you trust it, these servers run what those files say, with your rights, until one of them changes.
Code that these files load is not watched: review it too.
Have you reviewed these files, and do you trust them? [y/N] Trusted ${root}.
`);
    expect(code).toBe(0);
    expect(JSON.parse(stored()).roots).toMatchObject([
      { root, servers: [{ id: 'linter' }, { id: 'builder' }] },
    ]);
  });

  it.each(['', 'n', 'no', 'yesterday', 'x'])('understands %j as no', async (answer) => {
    const { run } = openShell();
    const { code, told } = await run('', answer);
    expect(told).toMatch(/Nothing was changed\.\n$/);
    expect(code).toBe(1);
    expect((await run('--list')).told).toBe('No folder is trusted.\n');
  });

  it('SUP-04 refuses without a terminal, unless --yes is given', async () => {
    const { root, run } = openShell();
    const { code, told } = await run('');
    expect(code).toBe(-1);
    expect(told).toContain(`lspan trust "${root}" --yes`);
    expect((await run('--list')).told).toBe('No folder is trusted.\n');
    expect(await run('--yes')).toMatchObject({ code: 0, told: expect.stringContaining(`Trusted ${root}.`) });
  });

  it('defaults to the repository around the current folder, regardless of client variables', async () => {
    const { root, state, run, stored } = openShell();
    const other = temporaryFolder(project);
    const environment = { XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, CLAUDE_PROJECT_DIR: other };
    await run('--yes', undefined, { cwd: path.join(root, 'deep'), environment });
    expect(stored()).toContain(JSON.stringify(root));
    expect(stored()).not.toContain(other);
  });

  it('SUP-04 refuses a state folder inside the folder', async () => {
    const { root, run } = openShell();
    const environment = { XDG_STATE_HOME: path.join(root, 'state'), XDG_CONFIG_HOME: root };
    expect((await run('--yes', undefined, { environment })).told).toContain('inside the folder to trust');
  });

  it('says that there is nothing to trust if no server would run anything', async () => {
    const { run } = openShell({ 'a.md': '' });
    expect(await run('. --yes')).toMatchObject({
      code: 0,
      told: expect.stringContaining('there is nothing to trust'),
    });
  });

  it('says that a folder is trusted already, and shows what changed since', async () => {
    const { root, run } = openShell();
    await run('--yes');
    expect(await run('')).toMatchObject({ code: 0, told: expect.stringContaining('It is already trusted') });
    writeFileSync(path.join(root, 'rules.cfg'), 'other');
    const again = await run('', 'yes');
    expect(again.told).toContain('since it was trusted: "rules.cfg" has changed\n');
    expect(again.told).toContain(`Trusted ${root}.`);
  });

  it('shows at most twenty files of many', async () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`d${index}/plugin.js`, '']));
    const { told } = await openShell({ ...project, ...many }).run('', 'n');
    expect(told.match(/plugin\.js/g)).toHaveLength(20);
    expect(told).toContain(', and 7 more\n');
  });
});

describe('lspan trust --list and --revoke', () => {
  it('list what is trusted and whether it is in effect, and remove it', async () => {
    const { root, run } = openShell();
    await run('--yes');
    expect((await run('--list')).told).toMatch(
      new RegExp(
        `^${root}, trusted \\d{4}-\\d\\d-\\d\\d\n  linter, 2 files: valid\n  builder, 1 file: valid\n$`,
      ),
    );
    writeFileSync(path.join(root, 'build.cfg'), '');
    rmSync(path.join(root, 'a.txt'));
    const { told } = await run('--list');
    expect(told).toContain('linter, 2 files: not needed now');
    expect(told).toContain('builder, 1 file: This folder is no longer trusted');
    expect((await run('--revoke')).told).toBe(`${root} is no longer trusted.\n`);
    expect((await run('--revoke')).told).toBe(`${root} was not trusted.\n`);
    expect((await run('--list')).told).toBe('No folder is trusted.\n');
  });

  it('handle a folder that no longer exists', async () => {
    const { root, run, state } = openShell();
    await run('--yes');
    rmSync(root, { recursive: true });
    const away = { cwd: state };
    expect((await run('--list', undefined, away)).told).toContain('the folder is gone');
    expect((await run(`--revoke ${root}`, undefined, away)).told).toBe(`${root} is no longer trusted.\n`);
  });

  it('report a trust file that is not believed', async () => {
    const { run, state } = openShell();
    mkdirSync(path.join(state, 'lspan'), { mode: 0o700 });
    writeFileSync(path.join(state, 'lspan/trust.json'), '[]', { mode: 0o600 });
    expect((await run('--list')).told).toContain("is not in lspan's format");
  });
});

it.each([
  ['a b', 'Unexpected argument'],
  ['--list a', 'Use --list alone'],
  ['--list --revoke', 'Use --list alone'],
  ['--workspace a', 'Unknown flag --workspace'],
])('lspan trust %s is refused', (words, told) => {
  expect(() => parseCommandLine(['trust', ...words.split(' ')])).toThrow(told);
});
