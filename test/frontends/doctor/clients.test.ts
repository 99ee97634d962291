import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { examineClients } from '../../../src/frontends/doctor/examine-clients.ts';
import { openSetupShell } from '../setup/setup-shell.ts';

/** A user of lspan, and what the doctor finds in the files of their agents. */
function open(files: Readonly<Record<string, string>> = {}) {
  const shell = openSetupShell({ 'installed/build-id': 'one\n', ...files });
  const examine = () =>
    examineClients({
      machine: { platform: 'linux', environment: { PATH: shell.at('bin') }, home: shell.home },
      own: {
        script: shell.at('installed/bin.js'),
        node: shell.at('bin/node'),
        platform: 'linux',
        folders: [shell.at('bin')],
      },
      project: shell.at('project'),
    });
  const told = () =>
    examine().findings.map(({ level, subject, text, next_step }) =>
      [level, subject, text, ...(next_step === undefined ? [] : ['→', next_step])]
        .join(' ')
        .replaceAll(shell.home, '~'),
    );
  return { ...shell, examine, told };
}

it('says that no agent was found, and which are not set up', async () => {
  const { told, write, run } = open();
  expect(told()).toEqual([
    'ok agents no agent was found on this machine; lspan setup --list shows those that are known',
  ]);
  write('.cursor/x', '');
  write('.gemini/settings.json', '{}');
  expect(told()).toEqual([
    'warning others Gemini CLI, Cursor: found, not set up for lspan → lspan setup gemini-cli cursor',
  ]);
  await run('gemini --yes');
  expect(told()).toEqual([
    'ok gemini-cli ~/.gemini/settings.json (user): starts this lspan, hooks in ~/.gemini/settings.json',
    'ok others Cursor: found, not set up for lspan → lspan setup cursor',
  ]);
});

it('says of each scope what is started, and where the hooks are', async () => {
  const { told, run, examine, at } = open({ '.claude/x': '' });
  await run('claude --yes --no-hooks');
  await run('claude --yes --scope project');
  expect(told()).toEqual([
    'ok claude-code ~/.claude.json (user): starts this lspan, no hooks',
    'ok claude-code ~/project/.mcp.json (project): starts this lspan, hooks in ~/project/.claude/settings.json',
  ]);
  expect(examine().clients[1]).toEqual({
    id: 'claude-code',
    title: 'Claude Code',
    found: at('.claude.json'),
    set_up: true,
    scope: 'project',
    file: at('project/.mcp.json'),
    command: ['lspan', 'mcp', '--after-edit'],
    starts: 'this',
    hooks: true,
    hooks_ask: 'server',
    hooks_file: at('project/.claude/settings.json'),
  });
});

it('fails if the program is gone, and warns of another build, with what puts it right', async () => {
  const { told, write, run, at } = open({ 'old/bin.js': '', 'old/build-id': 'two\n', 'copy/bin.js': '' });
  write('copy/build-id', 'one\n');
  const entry = (...words: readonly string[]) => {
    const [command, ...args] = words;
    write('.cursor/mcp.json', JSON.stringify({ mcpServers: { lspan: { command, args } } }));
    return told()[0];
  };
  expect(entry('/gone/lspan', 'mcp')).toBe(
    'error cursor ~/.cursor/mcp.json (user): it starts a program that does not exist → lspan setup cursor',
  );
  expect(entry(at('bin/node'), '/gone/bin.js', 'mcp')).toContain('does not exist');
  expect(entry('no-such-lspan', 'mcp')).toContain('does not exist');
  expect(entry(at('bin/node'), at('old/bin.js'), 'mcp')).toBe(
    'warning cursor ~/.cursor/mcp.json (user): it starts an lspan of another build than this → lspan setup cursor',
  );
  expect(entry(at('bin/node'), at('copy/bin.js'), 'mcp')).toMatch(
    /^ok .* starts another copy of this build$/,
  );
  expect(entry('npx', '-y', 'lspan', 'mcp')).toMatch(/^ok .* starts lspan from npm$/);
  writeFileSync(at('bin/shim'), '#!/bin/sh\n');
  expect(entry('shim', 'mcp')).toMatch(/^warning .*cannot tell what it is/);
  await run('cursor --yes');
  expect(told()).toEqual(['ok cursor ~/.cursor/mcp.json (user): starts this lspan']);
});

it('warns of hooks that can say nothing, and of files that cannot be used', async () => {
  const { told, write, read, run } = open();
  await run('opencode --yes');
  const file = '.config/opencode/opencode.json';
  const text = read(file) ?? '';
  write(file, text.replace(', "--daemon"', ''));
  expect(told()[0]).toContain('the entry lacks --daemon → lspan setup opencode');
  write(file, text.replace(', "--after-edit", "--daemon"', ''));
  expect(told()[0]).toContain('the entry lacks --after-edit → lspan setup opencode');
  write(file, '{}');
  expect(told()[0]).toContain('ask an lspan that is not set up here → lspan setup opencode');
  write(file, '{');
  expect(told()[0]).toContain(
    'warning opencode its file cannot be used: ~/.config/opencode/opencode.json:1:2: this is not JSON',
  );
  write(file, '{"mcp": {"lspan": {"type": "remote", "url": "http://127.0.0.1:3939/mcp"}}}');
  expect(told()[0]).toMatch(/^ok .* connects to an address/);
});

it('takes a file that several agents read for the one that is here', () => {
  const { told, at, home } = open({
    'project/.mcp.json': '{"mcpServers": {"lspan": {"command": "lspan", "args": ["mcp"]}}}',
  });
  expect(told()).toHaveLength(2);
  mkdirSync(path.join(home, '.copilot'));
  symlinkSync(at('bin/node'), at('bin/copilot'));
  expect(told()).toEqual(['ok copilot-cli ~/project/.mcp.json (project): starts this lspan']);
});
