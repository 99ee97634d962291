import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { commandNames, flagsOf } from '../../src/frontends/cli/flags.ts';
import { catalogue } from '../../src/surfaces/catalogue.ts';

const folder = path.resolve(import.meta.dirname, '../../plugins');
const script = path.resolve(folder, '../scripts/plugins.js');
const made = new Map<string, string>(
  JSON.parse(execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' })),
);
const offered = catalogue.find(({ name }) => name === 'lspan');

it('plugins/ is what scripts/plugins.js makes', () => {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  expect(found.sort()).toEqual([...made.keys()].sort());
  for (const [file, text] of made) expect(readFileSync(path.join(folder, file), 'utf8'), file).toBe(text);
});

it('every tool that a hook calls is for hooks, and every tool that a text names is listed', () => {
  const text = [...made.values()].join('\n');
  const called = [...text.matchAll(/"tool": "(\w+)"/g)].map(([, tool]) => tool);
  expect(new Set(called)).toEqual(new Set(offered?.hookTools));
  const named = [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, tool]) => tool);
  const known = [...(offered?.tools ?? []).map(({ name }) => name), 'plan_id'];
  expect(named.filter((tool) => tool === undefined || !known.includes(tool))).toEqual([]);
});

it('every command that a plugin runs is one of lspan, with flags that it has', () => {
  const servers = [...made].filter(([file]) => /mcp\.json$|gemini-extension\.json$/.test(file));
  expect(servers).toHaveLength(4);
  for (const [file, text] of servers) {
    const { command, args } = JSON.parse(text).mcpServers.lspan;
    const [name, ...flags] = args;
    expect(command, file).toBe('lspan');
    expect(commandNames).toContain(name);
    const known = flagsOf('mcp').map((flag) => `--${flag.name}`);
    expect(known).toEqual(expect.arrayContaining(flags));
  }
});

it('no hook can deny an edit', () => {
  const text = [...made.values()].join('\n');
  expect(text).not.toMatch(/PreToolUse|BeforeTool|permissionDecision|"decision"/);
});
