import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentClient, Scope } from '../../../src/frontends/setup/clients/client.ts';
import {
  claudeHooks,
  codexHooks,
  geminiHooks,
  opencodeHooks,
} from '../../../src/frontends/setup/clients/client-hooks.ts';
import { clientsWithHooks } from '../../../src/frontends/setup/clients/clients-with-hooks.ts';
import { hooksFileOf } from '../../../src/frontends/setup/file-task.ts';
import { section, shown, windows, withMark } from './golden-sections.ts';
import { openSetupShell } from './setup-shell.ts';

const golden = path.join(import.meta.dirname, 'hooks.golden.txt');

const rows = clientsWithHooks.flatMap((client) =>
  (['user', 'project'] as const).map((scope) => ({ id: client.id, scope, client })),
);
const inLists = rows.filter(({ client }) => client.hooks?.content.kind === 'entries');

if (process.env.UPDATE_GOLDEN === '1') {
  it('the golden file is made', async () => {
    const sections: string[] = [];
    for (const { id, scope, client } of rows) {
      const isList = client.hooks?.content.kind === 'entries';
      const cases = {
        'from nothing': undefined,
        ...(isList ? { 'from an existing file': existing(id) } : {}),
      };
      for (const [title, text] of Object.entries(cases)) {
        const { run, read, write, file } = openShellOf(client, scope);
        if (text !== undefined) write(file, text);
        await run(`${id} --scope ${scope} --hooks --yes`);
        sections.push(`==== ${id} ${scope} ${title}: ${shown(file)}\n${read(file)}`);
      }
    }
    writeFileSync(golden, sections.join(''));
  });
}

describe.each(rows)('the hooks of $id, for the $scope', ({ id, scope, client }) => {
  const words = `${id} --scope ${scope}`;

  it('are set up from nothing, once, and nothing is left after them', async () => {
    const { run, read, file } = openShellOf(client, scope);
    const { code, told } = await run(`${words} --yes`);
    expect(code).toBe(0);
    expect(told).toContain('--no-hooks leaves them out');
    expect(told.includes('lspan mcp --after-edit --daemon')).toBe(client.hooks?.asks === 'daemon');
    expect(told.includes('type /hooks')).toBe(id === 'codex');
    expect(read(file)).toBe(section(golden, `${id} ${scope} from nothing: ${shown(file)}`));
    expect((await run(`${words} --hooks --yes`)).told).toContain('already set up');
    expect(await run(`${words} --yes --remove`)).toMatchObject({ code: 0 });
    expect(read(file)).toBeUndefined();
  });

  it('are left out and taken out by --no-hooks, and the entry stays', async () => {
    const { run, read, file } = openShellOf(client, scope);
    await run(`${words} --no-hooks --yes`);
    const plain = read(file);
    expect(plain ?? '').not.toContain('hook');
    await run(`${words} --yes`);
    expect(read(file)).toMatch(/after_edit|hook/);
    expect(await run(`${words} --no-hooks --yes`)).toMatchObject({ code: 0 });
    expect(read(file)).toBe(plain);
    expect((await run(`${words} --no-hooks --yes`)).told).toContain('already set up');
    expect((await run('--list')).told).not.toContain('with hooks');
    await run(`${words} --yes --remove`);
    expect(read(file)).toBeUndefined();
  });
});

describe.each(inLists)('the hooks of $id in a file of the $scope', ({ id, scope, client }) => {
  const words = `${id} --scope ${scope} --yes`;

  it('leave every other byte as it is, with either line ending, and give them all back', async () => {
    for (const change of [(one: string) => one, windows, withMark, (one: string) => one.trimEnd()]) {
      const { run, read, write, file } = openShellOf(client, scope);
      const text = change(existing(id));
      write(file, text);
      expect(await run(words)).toMatchObject({ code: 0 });
      expect(read(file)).toBe(
        change(section(golden, `${id} ${scope} from an existing file: ${shown(file)}`)),
      );
      expect((await run(words)).told).toContain('already set up');
      expect(await run(`${words} --remove`)).toMatchObject({ code: 0 });
      expect(read(file)).toBe(text);
    }
  });

  it('go alone if somebody has changed the file since, with what is empty without them', async () => {
    const { run, read, write, file } = openShellOf(client, scope);
    await run(words);
    const mine = `"hooks": [{"type": "command", "command": "mine"}, {`;
    write(file, (read(file) ?? '').replace('"hooks": [\n          {', mine));
    await run(`${words} --remove`);
    expect(read(file)).toContain('mine');
    expect(read(file)).not.toMatch(/lspan|after_edit/);
    expect(Object.keys(JSON.parse(read(file) ?? '').hooks)).toHaveLength(1);
  });

  it('keep what the user has changed in them', async () => {
    const { run, read, write, file } = openShellOf(client, scope);
    await run(words);
    const text = (read(file) ?? '').replace(/"matcher": "[^"]*"/, '"matcher": "Mine"');
    write(file, text);
    expect((await run(words)).told).toContain('already set up');
  });

  it.each([
    ['a malformed file', '{\n  "a": 1,, // x\n}\n', /:2:\d+: this is not JSON/],
    ['hooks that are no object', '{"hooks": []}', /"hooks" is not a JSON object/],
    ['an event that is no list', '', /is not a JSON array/],
  ])('leave %s alone', async (_, given, why) => {
    const { run, read, write, file } = openShellOf(client, scope);
    const event = id === 'gemini-cli' ? 'AfterTool' : 'PostToolUse';
    const text = given === '' ? `{"hooks": {"${event}": {}}}` : given;
    write(file, text);
    const { code, told } = await run(words);
    expect(code).toBe(1);
    expect(told).toMatch(why);
    expect(read(file)).toBe(text);
  });
});

describe('lspan setup --hooks', () => {
  it('writes the command anew if another lspan is set up, and keeps the rest of the hook', async () => {
    const { run, read, write } = openSetupShell();
    await run('gemini --yes');
    const file = '.gemini/settings.json';
    const text = read(file) ?? '';
    write(file, text.replaceAll('lspan hook', '/old/lspan hook').replaceAll('10000', '5000'));
    await run('gemini --yes');
    expect(read(file)).toBe(text.replaceAll('10000', '5000'));
  });

  it('quotes what the shell of a client would split', async () => {
    const { entries } = geminiHooks.content.kind === 'entries' ? geminiHooks.content : expect.unreachable();
    const words = ['/my programs/node', '/b/bin.js', 'hook', 'gemini-cli'];
    expect(entries(words, 'linux').own.command).toBe("'/my programs/node' /b/bin.js hook gemini-cli");
    expect(entries(words, 'win32').own.command).toBe("& '/my programs/node' /b/bin.js hook gemini-cli");
    const { text } = opencodeHooks.content.kind === 'file' ? opencodeHooks.content : expect.unreachable();
    expect(text(["C:\\it's\\node.exe"])).toContain(`const program = 'C:\\\\it\\'s\\\\node.exe';`);
  });

  it('keeps flags of the user in the entry, and refuses one that rules hooks out', async () => {
    const entry = (...flags: readonly string[]) =>
      JSON.stringify({ mcpServers: { lspan: { command: 'lspan', args: ['mcp', ...flags] } } });
    const { run, read, write } = openSetupShell();
    const file = '.gemini/settings.json';
    write(file, entry('--daemon', '--read-only'));
    await run('gemini --yes');
    expect(read(file)).toContain('"args":["mcp", "--daemon", "--read-only", "--after-edit"]');
    await run('gemini --no-hooks --yes');
    expect(read(file)).toContain('"args":["mcp", "--daemon", "--read-only"]');
    write(file, entry('--no-daemon'));
    const { code, told } = await run('gemini --yes');
    expect(code).toBe(1);
    expect(told).toContain('the entry of lspan has --no-daemon. Remove that flag, or use --no-hooks.');
    expect(await run('gemini --no-hooks --yes')).toMatchObject({ code: 0 });
  });

  it('says which file was written if another changes while the user reads, and does the rest when run again', async () => {
    const { run, read, write } = openSetupShell();
    const answer = () => {
      write('.codex/hooks.json', '{"mine": 1}');
      return 'y';
    };
    const { code, told } = await run('codex', { answer });
    expect(code).toBe(1);
    expect(told).toContain('Wrote ~/.codex/config.toml.\n');
    expect(told).toContain('~/.codex/hooks.json has changed meanwhile: nothing was written. Run it again.');
    expect(read('.codex/hooks.json')).toBe('{"mine": 1}');
    expect(await run('codex --yes')).toMatchObject({ code: 0 });
    expect(read('.codex/hooks.json')).toContain('after_edit');
    await run('codex --yes --remove');
    expect(read('.codex/hooks.json')).toBe('{"mine": 1}');
    expect(read('.codex/config.toml')).toBeUndefined();
  });

  it('refuses a plugin of that name which another made', async () => {
    const { run, read, write } = openSetupShell();
    write('.config/opencode/plugin/lspan.js', 'export const mine = 1;\n');
    const { code, told } = await run('opencode --yes');
    expect(code).toBe(1);
    expect(told).toContain('plugin/lspan.js:1:1: this file is not one of lspan.');
    expect(read('.config/opencode/plugin/lspan.js')).toBe('export const mine = 1;\n');
    expect(read('.config/opencode/opencode.json')).toBeUndefined();
    await run('opencode --yes --no-hooks');
    expect(read('.config/opencode/plugin/lspan.js')).toBe('export const mine = 1;\n');
  });

  it('says where no hooks are known, which flags exclude each other, and where the hooks are', async () => {
    const { run } = openSetupShell();
    expect((await run('cursor --hooks --yes')).told).toContain('No hooks are known for it.');
    expect((await run('cursor --no-hooks --yes')).told).toContain('already set up');
    await expect(run('--hooks --no-hooks')).rejects.toThrow('Use --hooks or --no-hooks, not both.');
    await expect(run('--remove --hooks')).rejects.toThrow('--remove takes out the hooks too');
    expect((await run('codex --hooks')).told).toContain(
      'To write what is shown: lspan setup codex --hooks --yes',
    );
    await run('codex --yes');
    expect((await run('--list')).told.replace(/\s+/g, ' ')).toContain('with hooks in ~/.codex/hooks.json');
  });
});

it('the hooks of lspan setup are those of the plugins', () => {
  const read = (file: string) =>
    readFileSync(path.resolve(import.meta.dirname, '../../../plugins', file), 'utf8');
  const events = ({ content }: typeof claudeHooks, id: string) =>
    content.kind === 'entries' ? content.entries(['lspan', 'hook', id], 'linux').events : undefined;
  const ofClaude = read('claude-code/hooks/hooks.json').replaceAll('plugin:lspan:lspan', 'lspan');
  expect({ hooks: events(claudeHooks, 'claude-code') }).toEqual(JSON.parse(ofClaude));
  expect({ hooks: events(codexHooks, 'codex') }).toEqual(JSON.parse(read('codex/hooks/hooks.json')));
  expect({ hooks: events(geminiHooks, 'gemini-cli') }).toEqual(JSON.parse(read('gemini/hooks/hooks.json')));
  const { text, mark } = opencodeHooks.content.kind === 'file' ? opencodeHooks.content : expect.unreachable();
  expect(text(['lspan', 'hook', 'opencode'])).toBe(read('opencode/lspan.js'));
  expect(read('opencode/lspan.js').startsWith(mark)).toBe(true);
});

function openShellOf(client: AgentClient, scope: Scope) {
  const shell = openSetupShell();
  const machine = { platform: 'linux' as const, environment: {}, home: shell.home };
  const file = hooksFileOf(client, { scope, machine, project: shell.at('project') }) ?? '';
  return { ...shell, file: path.relative(shell.home, file) };
}

/** A file with comments, hooks of the user, and the user's own style. */
function existing(id: string): string {
  const event = id === 'gemini-cli' ? 'AfterTool' : 'PostToolUse';
  return `{\n\t// mine\n\t"a" : [1,2],   // keep\n\t"hooks": {\n\t\t"${event}": [ // all\n\t\t\t{"matcher": "x", "hooks": [{"type": "command", "command": "mine"}]} // one\n\t\t\t// , {}\n\t\t] /* after */,\n\t\t"Stop": []\n\t},\n\t"z": null\n}\n`;
}
