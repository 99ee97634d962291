import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchFor } from '../../../src/frontends/setup/launch.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';
import { openSetupShell } from './setup-shell.ts';

const file = '.gemini/settings.json';

describe('lspan setup', () => {
  it('shows the exact change, asks, writes it, and says how to check', async () => {
    const { run, read } = openSetupShell({ [file]: '{\n  "a": 1\n}\n' });
    const { code, told } = await run('--no-hooks', { answer: 'y' });
    expect(told).toBe(`Gemini CLI:
--- ~/.gemini/settings.json
+++ ~/.gemini/settings.json
@@ -1,3 +1,9 @@
 {
-  "a": 1
+  "a": 1,
+  "mcpServers": {
+    "lspan": {
+      "command": "lspan",
+      "args": ["mcp"]
+    }
+  }
 }
It runs: lspan mcp (lspan is on your PATH)
Write it? [y/N] Wrote ~/.gemini/settings.json.
To check: gemini mcp list
It starts no servers in folders that it does not trust.
With "trust": true in the entry, it does not ask before each tool.
`);
    expect(code).toBe(0);
    expect(read(file)).toContain('"lspan"');
  });

  it('writes nothing if the user declines, in a dry run, or if nobody can be asked', async () => {
    const { run, read } = openSetupShell({ [file]: '{}', '.cursor/x': '' });
    expect(await run('', { answer: 'n' })).toMatchObject({ code: 1 });
    const dry = await run('--dry-run');
    expect(dry.code).toBe(0);
    expect(dry.told).toContain('+    "lspan": {');
    expect(dry.told).toContain('Nothing was written: this was a dry run.');
    const unasked = await run('gemini --rules');
    expect(unasked.code).toBe(-1);
    expect(unasked.told).toContain('Nothing was written: there is no terminal to ask on.');
    expect(unasked.told).toContain('lspan setup gemini --rules --yes');
    expect(read(file)).toBe('{}');
    expect(read('.cursor/mcp.json')).toBeUndefined();
  });

  it('goes on with other clients if the file of one is refused', async () => {
    const { run, read } = openSetupShell({ [file]: '{', '.cursor/x': '' });
    const { code, told } = await run('--yes');
    expect(code).toBe(1);
    expect(told).toContain(
      'Gemini CLI: ~/.gemini/settings.json:1:2: this is not JSON (close brace expected).',
    );
    expect(read(file)).toBe('{');
    expect(read('.cursor/mcp.json')).toContain('lspan');
  });

  it('says which client was probably meant, and which has no file for projects', async () => {
    const { run } = openSetupShell();
    expect((await run('claud-code')).told).toBe('Unknown client claud-code. Did you mean claude-code?');
    expect((await run('emacs')).told).toContain('lspan setup --list');
    expect((await run('windsurf --scope project --yes')).told).toContain('Use --scope user.');
    expect((await run('--yes')).told).toContain('No agent was found on this machine.');
  });

  it('honours the variables by which users move the files of their agents', async () => {
    const { run, read, at } = openSetupShell();
    const more = {
      CODEX_HOME: at('cx'),
      CLAUDE_CONFIG_DIR: at('cl'),
      XDG_CONFIG_HOME: at('xdg'),
      COPILOT_HOME: 'relative',
    };
    await run('codex claude-code opencode copilot-cli --yes', { more });
    const files = [
      'cx/config.toml',
      'cl/.claude.json',
      'xdg/opencode/opencode.json',
      '.copilot/mcp-config.json',
    ];
    expect(files.filter((one) => !read(one)?.includes('lspan'))).toEqual([]);
  });

  it('uses the file that exists, of several that a client reads, and the newer form of its servers', async () => {
    const { run, read } = openSetupShell({
      '.config/opencode/opencode.jsonc':
        '{ "mcp": { "servers": { "x": { "type": "local", "command": ["x"] } } } }',
    });
    await run('opencode --yes');
    expect(read('.config/opencode/opencode.jsonc')).toBe(
      '{ "mcp": { "servers": { "x": { "type": "local", "command": ["x"] }, "lspan": { "type": "local", "command": ["lspan", "mcp", "--after-edit", "--daemon"], "enabled": true } } } }',
    );
    expect(read('.config/opencode/opencode.json')).toBeUndefined();
  });

  it('refuses an entry that connects to an address', async () => {
    const text = '{"mcpServers": {"lspan": {"url": "http://127.0.0.1:3939/mcp"}}}';
    const { run, read } = openSetupShell({ [file]: text });
    expect(await run('--yes')).toMatchObject({
      code: 1,
      told: expect.stringContaining('connects to an address (url)'),
    });
    expect(read(file)).toBe(text);
  });

  it('shows only what is near the change of a file that is one long line', async () => {
    const { run } = openSetupShell({
      [file]: `{"secret":"${'s'.repeat(5000)}","mcpServers":{},"z":"${'t'.repeat(5000)}"}`,
    });
    const { told } = await run('--dry-run');
    expect(told.length).toBeLessThan(2000);
    expect(told).toContain('"lspan":{"command":"lspan","args":["mcp","--after-edit","--daemon"]}');
    expect(told).toContain('"hooks":{"SessionStart":[{"hooks":[{"type":"command",');
  });
});

describe('lspan setup --remove', () => {
  it('takes out the entry alone if somebody has changed the file since', async () => {
    const { run, read, write } = openSetupShell({ '.gemini/x': '' });
    await run('gemini --yes');
    write(file, read(file)?.replace('{\n', '{\n  "new": [1], // mine\n') ?? '');
    await run('gemini --yes --remove');
    expect(read(file)).toBe('{\n  "new": [1] // mine\n}\n');
  });

  it('gives back the bytes from before several runs, with other commands in between', async () => {
    const text = '{ "mcpServers" : {  } } // mine';
    const { run, read } = openSetupShell({ [file]: text });
    await run('gemini --yes');
    const more = { GEMINI_CLI_HOME: '' };
    await run('gemini --yes --rules', { more });
    expect(read('.gemini/GEMINI.md')).toContain('find_references');
    await run('gemini --yes --remove');
    expect(read(file)).toBe(text);
    expect(read('.gemini/GEMINI.md')).toBeUndefined();
  });

  it('keeps nothing of a file in its record but the entry of lspan', async () => {
    const { run, at } = openSetupShell({
      [file]: '{"key": "hush", "mcpServers": {"x": {"env": {"T": "hush"}}}}',
    });
    await run('gemini --yes');
    const records = readdirSync(at('state/lspan/setup')).map((name) =>
      readFileSync(at(`state/lspan/setup/${name}`), 'utf8'),
    );
    expect(records).toHaveLength(1);
    expect(records.join()).toContain('lspan');
    expect(records.join()).not.toContain('hush');
    await run('gemini --yes --remove');
    expect(readdirSync(at('state/lspan/setup'))).toEqual([]);
  });

  it('says so if there is nothing to remove', async () => {
    const { run } = openSetupShell({ [file]: '{}' });
    expect(await run('gemini --yes --remove')).toMatchObject({
      code: 0,
      told: expect.stringContaining('nothing to remove'),
    });
  });
});

describe('lspan setup --rules', () => {
  it('adds a marked paragraph, keeps it up to date, and takes it out again', async () => {
    const mine = '# Mine\r\n\r\nBe brief.';
    const { run, read, write } = openSetupShell({ 'project/AGENTS.md': mine });
    await run('codex --scope project --rules --yes');
    const added = read('project/AGENTS.md') ?? '';
    expect(added).toMatch(
      /^# Mine\r\n\r\nBe brief\.\r\n\r\n<!-- lspan:begin -->\r\n[\s\S]*<!-- lspan:end -->$/,
    );
    expect(await run('opencode --scope project --rules --yes')).toMatchObject({ code: 0 });
    expect(read('project/AGENTS.md')).toBe(added);
    write('project/AGENTS.md', `${added.replace('Text search', 'Old text')}\r\nMore.\r\n`);
    await run('codex --scope project --rules --yes');
    expect(read('project/AGENTS.md')).toBe(`${added}\r\nMore.\r\n`);
    await run('codex --scope project --remove --yes');
    expect(read('project/AGENTS.md')).toBe(`${mine}\r\nMore.\r\n`);
  });

  it('gives the file of a client that needs one its head, and prints the text where no file is known', async () => {
    const { run, read } = openSetupShell();
    await run('cursor --scope project --rules --yes');
    expect(read('project/.cursor/rules/lspan.mdc')).toMatch(
      /^---\ndescription: .*\nalwaysApply: true\n---\n<!-- lspan/,
    );
    const { told } = await run('fx --rules --yes');
    expect(told).toContain('No file of instructions is known for the scope user. To paste:');
  });
});

describe('lspan setup --list and --allow-list', () => {
  it('lists every client, what shows that it is here, and whether it is set up', async () => {
    const { run } = openSetupShell({
      [file]: '{}',
      '.codex/config.toml': '[mcp_servers.lspan]\ncommand = "old"\n',
    });
    await run('gemini --yes');
    const told = (await run('--list')).told.replace(/\s+/g, ' ');
    expect(told).toContain(
      'gemini-cli Gemini CLI: found (~/.gemini/settings.json); set up in ~/.gemini/settings.json',
    );
    expect(told).toContain('but otherwise than lspan setup would');
    expect(told).toContain('zed Zed: not found');
  });

  it('prints the names of the tools in the form of a client', async () => {
    const { run } = openSetupShell();
    expect((await run('--allow-list claude')).told).toMatch(
      /^mcp__lspan__find_definition\n[\s\S]*\nmcp__lspan__rename_symbol\n/,
    );
    expect((await run('--allow-list opencode')).told).toContain('\nlspan_find_references\n');
    expect((await run('--allow-list')).told).toMatch(/^find_definition\n/);
  });
});

describe('what a client is told to start', () => {
  const home = path.join('/', 'nowhere', 'lspan');
  const own = {
    script: path.join(home, 'lib/bin.js'),
    node: process.execPath,
    platform: 'linux' as const,
    folders: [],
  };
  const shell = { started: 'shell' } as const;

  it('is absolute if no lspan on the PATH is this one', () => {
    expect(launchFor(shell, 'user', own, undefined)).toMatchObject({
      command: process.execPath,
      args: [own.script, 'mcp'],
    });
    expect(launchFor(shell, 'project', own, home).why).toContain('of this machine only');
  });

  it('is npx with the package that was asked for, never a path in its cache', () => {
    const script = path.join(home, '_npx/abc/node_modules/lspan/dist/bin.js');
    expect(launchFor(shell, 'user', { ...own, script }, undefined)).toMatchObject({
      command: 'npx',
      args: ['-y', 'lspan', 'mcp'],
    });
  });

  it.each([
    ['lspan@0.1.0', '^0.1.0', () => 'lspan@0.1.0'],
    [
      './lspan-0.1.0.tgz',
      'file:../../lspan-0.1.0.tgz',
      (folder: string) => `file:${path.join(folder, 'lspan-0.1.0.tgz')}`,
    ],
  ])('is npx with %s, wherever it was typed', (asked, installed, expected) => {
    const manifest = { dependencies: { lspan: installed }, _npx: { packages: [asked] } };
    const folder = temporaryFolder({ '_npx/abc/package.json': JSON.stringify(manifest) });
    const script = path.join(folder, '_npx/abc/node_modules/lspan/dist/bin.js');
    const { args } = launchFor(shell, 'user', { ...own, script }, undefined);
    expect(args).toEqual(['-y', expected(folder), 'mcp']);
  });

  it('is npx for a dependency of the project, if it is for the project', () => {
    const script = path.join(home, 'p/node_modules/lspan/dist/bin.js');
    const launch = launchFor(shell, 'project', { ...own, script }, path.join(home, 'p'));
    expect(launch).toMatchObject({ command: 'npx', args: ['lspan', 'mcp'] });
  });
});
