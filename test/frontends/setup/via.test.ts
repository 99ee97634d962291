import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import { openSetupShell } from './setup-shell.ts';

const file = '.gemini/settings.json';
/** The shell of the tests splits at spaces, so these have none. */
const via = '--via ssh\\ host --workspace /home/me/p';

describe('VIA-08 lspan setup --via', () => {
  it('writes an entry that works elsewhere, without hooks, and takes it back byte for byte', async () => {
    const { run, read } = openSetupShell({ [file]: '{}' });
    const { code, told } = await run('gemini --via ssh --via-program node --workspace /p --yes');
    expect(code).toBe(0);
    expect(told).toContain(
      'It runs: lspan mcp --via ssh --via-program node --workspace /p (lspan is on your PATH)',
    );
    expect(JSON.parse(read(file) ?? '')).toEqual({
      mcpServers: {
        lspan: {
          command: 'lspan',
          args: ['mcp', '--via', 'ssh', '--via-program', 'node', '--workspace', '/p'],
        },
      },
    });
    expect((await run('gemini --remove --yes')).code).toBe(0);
    expect(read(file)).toBe('{}');
  });

  it('keeps the words of the command in one argument, in each form of a file', async () => {
    const { run, read } = openSetupShell({ '.codex/config.toml': '' });
    const words = ['setup', 'codex', '--via', 'ssh -p 22 host', '--yes'];
    const command = parseCommandLine(words);
    expect(command).toMatchObject({ flags: { via: ['ssh', '-p', '22', 'host'] } });
    await run(`codex ${via.replace('ssh\\ host', "'ssh'")} --yes`);
    expect(read('.codex/config.toml')).toContain('"--via", "ssh", "--workspace", "/home/me/p"');
  });

  it('replaces the command of an earlier entry, and keeps the other flags', async () => {
    const { run, read } = openSetupShell({ [file]: '{}' });
    await run('gemini --via ssh --workspace /p --yes');
    await run('gemini --via docker --yes');
    expect(JSON.parse(read(file) ?? '').mcpServers.lspan.args).toEqual(['mcp', '--via', 'docker']);
    const again = await run('gemini --via docker --yes');
    expect(again.told).toContain('already set up');
  });

  it('takes out the hooks of an earlier entry, and refuses to add some to one that works elsewhere', async () => {
    const { run, read } = openSetupShell({ [file]: '{}' });
    await run('gemini --yes');
    expect(read(file)).toContain('--after-edit');
    await run('gemini --via ssh --yes');
    expect(JSON.parse(read(file) ?? '')).toEqual({
      mcpServers: { lspan: { command: 'lspan', args: ['mcp', '--via', 'ssh'] } },
    });
    const { code, told } = await run('gemini --yes');
    expect(code).toBe(1);
    expect(told).toContain('Use --no-hooks, or give --via again.');
  });

  it('takes --workspace, --via-program and --remove only where they make sense', () => {
    for (const words of ['--workspace /p', '--via-program node', '--via ssh --remove', '--via ssh --hooks'])
      expect(() => parseCommandLine(['setup', ...words.split(' ')])).toThrow();
  });
});
