import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Flags } from '../../../src/frontends/cli/parse-flags.ts';
import { parseFlags } from '../../../src/frontends/cli/parse-flags.ts';
import { readSettings } from '../../../src/frontends/cli/read-settings.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

const choices = { surface: 'lspan', survivesFaults: false };

function flags(line = ''): Flags {
  return parseFlags('mcp', line === '' ? [] : line.split(' ')).flags;
}

/** A project, and a home directory with this configuration. */
function surroundings(config?: string) {
  const file = config === undefined ? {} : { 'home/.config/lspan/config.toml': config };
  const folder = temporaryFolder({ 'project/.git/HEAD': '', 'home/x': '', ...file });
  const home = path.join(folder, 'home');
  return { environment: { HOME: home }, cwd: path.join(folder, 'project'), home };
}

describe('settings', () => {
  it('are the defaults without flags and configuration', async () => {
    const around = surroundings();
    const prepared = await readSettings(flags(), choices, around);
    expect(prepared).toMatchObject({
      roots: [around.cwd],
      rootsFromClient: true,
      output: 'auto',
      toolsets: [],
      readOnly: false,
      bridge: { surface: 'lspan', overrides: { logLevel: 'warn', logFormat: 'human' } },
    });
    expect(Object.keys(prepared.bridge)).toEqual(['surface', 'overrides', 'log']);
  });

  it('come from the configuration unless a flag overrides it', async () => {
    const around = surroundings(
      'output = "text"\ntoolsets = ["symbols"]\nread_only = true\nlog_level = "error"',
    );
    expect(await readSettings(flags(), choices, around)).toMatchObject({
      output: 'text',
      toolsets: ['symbols'],
      readOnly: true,
      bridge: { overrides: { logLevel: 'error' } },
    });
    const line = '--output both --toolset navigation --log-level info --log-format json';
    const prepared = await readSettings(flags(line), choices, around);
    expect(prepared).toMatchObject({ output: 'both', toolsets: ['navigation'], readOnly: true });
    expect(prepared.bridge.overrides).toEqual({
      output: 'both',
      toolsets: ['navigation'],
      logLevel: 'info',
      logFormat: 'json',
    });
  });

  it('take the configuration that --config names, relative to the current folder', async () => {
    const around = surroundings('this is not TOML');
    const folder = temporaryFolder({ 'mine.toml': 'read_only = true' });
    const prepared = await readSettings(
      flags(`--config ${path.relative(around.cwd, folder)}/mine.toml`),
      choices,
      around,
    );
    expect(prepared).toMatchObject({
      readOnly: true,
      bridge: { configFile: path.join(folder, 'mine.toml') },
    });
  });

  it('fail with a faulty configuration, unless the command survives faults', async () => {
    const around = surroundings('read_only = 1\nlog_level = "error"');
    await expect(readSettings(flags(), choices, around)).rejects.toThrow(
      /config\.toml cannot be used: line 1, read_only: must be true or false, not 1/,
    );
    const surviving = readSettings(flags('--read-only'), { ...choices, survivesFaults: true }, around);
    expect(await surviving).toMatchObject({ readOnly: true, output: 'auto' });
    await expect(readSettings(flags('--config none.toml'), choices, around)).rejects.toThrow(
      /does not exist/,
    );
  });

  it('fail with an invalid workspace', async () => {
    await expect(readSettings(flags('-w none'), choices, surroundings())).rejects.toThrow(
      /none does not exist/,
    );
  });

  it('open the trace relative to the current folder', async () => {
    const around = surroundings();
    const prepared = await readSettings(flags('--trace t.jsonl'), choices, around);
    prepared.bridge.trace?.({ server: 's', direction: 'to_server', message: 1 });
    prepared.close();
    expect(existsSync(path.join(around.cwd, 't.jsonl'))).toBe(true);
    await expect(readSettings(flags('--trace none/t'), choices, around)).rejects.toThrow(/trace file/);
  });
});
