import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCompletions } from '../../../../src/frontends/cli/commands/run-completions.ts';
import { commandNames, flagsOf } from '../../../../src/frontends/cli/flags.ts';
import { parseCommandLine, type Shell, shells } from '../../../../src/frontends/cli/parse-command-line.ts';
import { lackedPrograms, unlessSkipped } from '../../../missing-programs.ts';
import { temporaryFolder } from '../../../test-bridge.ts';

describe.each(shells)('the completion for %s', (shell) => {
  it('has every command and every flag', async () => {
    const script = await scriptOf(shell);
    for (const name of commandNames.filter((each) => each !== 'single')) {
      expect(script).toContain(name);
      for (const flag of flagsOf(name)) expect(script).toContain(flag.name);
    }
  });
});

it.each([[], ['tcsh'], ['bash', 'zsh']])('needs one known shell, not %j', (...words) => {
  expect(() => parseCommandLine(['completions', ...words])).toThrow('Name one shell: bash, zsh, fish.');
});

/** A test that is skipped, and says so, where the shell is missing. */
function itIn(shell: Shell, title: string, run: () => Promise<void>): void {
  const missing = lackedPrograms(shell);
  it.skipIf(missing !== '')(unlessSkipped(missing, title), { timeout: 60_000 }, run);
}

/** What is typed, what is offered, and what is not. */
const typed: readonly (readonly [line: string, offered: readonly string[], not: readonly string[]])[] = [
  ['lspan in', ['install'], ['mcp']],
  ['lspan help tr', ['trust'], ['token']],
  ['lspan call find_', ['find_definition', 'find_references'], ['rename_symbol']],
  ['lspan tools undo', ['undo_edit'], ['find_definition']],
  ['lspan mcp --read', ['--read-only'], ['--workspace']],
  ['lspan mcp --output ', ['auto', 'both'], ['--workspace', 'human']],
  ['lspan setup cla', ['claude-code'], ['codex']],
  ['lspan hook g', ['gemini-cli'], ['codex']],
  ['lspan install pyr', ['pyright'], ['gopls']],
  ['lspan token r', ['rotate'], ['show']],
  ['lspan completions f', ['fish'], ['bash']],
  ['lspan stop --', ['--force', '--help'], ['--watch']],
  ['lspan doctor --workspace fol', ['folder/'], ['file.txt']],
  ['lspan doctor --config fil', ['file.txt'], []],
];

describe('a shell that completes lspan', () => {
  itIn('bash', 'offers in bash what fits', async () => {
    const folder = await madeFolder('bash');
    for (const [line, offered, not] of typed.filter(([each]) => !/ fol| fil/.test(each))) {
      const words = line.split(' ').map((word) => `'${word}'`);
      const shown = ran(folder, 'bash', [
        'source ./script',
        `COMP_WORDS=(${words.join(' ')}) COMP_CWORD=${words.length - 1}`,
        '_lspan',
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ]);
      expectOffered(line, shown.split('\n'), offered, not);
    }
  });

  itIn('bash', 'takes a value after an equals sign, and leaves paths to bash', async () => {
    const folder = await madeFolder('bash');
    const reply = 'printf "%s\\n" "${COMPREPLY[@]}"';
    const joined = 'COMP_WORDS=(lspan mcp --output = st) COMP_CWORD=4';
    expect(ran(folder, 'bash', ['source ./script', joined, '_lspan', reply])).toBe('structured\n');
    const paths = 'COMP_WORDS=(lspan mcp --workspace fol) COMP_CWORD=3';
    expect(ran(folder, 'bash', ['source ./script', paths, '_lspan', reply])).toBe('\n');
    expect(ran(folder, 'bash', ['source ./script', 'complete -p lspan'])).toContain('-o default');
  });

  itIn('fish', 'offers in fish what fits', async () => {
    const folder = await madeFolder('fish');
    for (const [line, offered, not] of typed) {
      const shown = ran(folder, 'fish', ['source ./script', `complete -C '${line}'`]);
      const names = shown.split('\n').map((each) => each.split('\t')[0] ?? '');
      expectOffered(line, names, offered, not);
    }
  });

  itIn('zsh', 'offers in zsh what fits', async () => {
    const folder = await madeFolder('zsh');
    for (const [line, offered] of typed.filter(([each]) => !/ fol| fil/.test(each))) {
      const words = line.split(' ').map((word) => `'${word}'`);
      // The functions of zsh that choose among the words and show them need a terminal.
      const shown = ran(folder, 'zsh', [
        'compdef() { :; }',
        '_describe() { print -l -- $commands; }',
        '_arguments() { print -l -- "$@"; }',
        'source ./script',
        `words=(${words.join(' ')}) CURRENT=${words.length}`,
        '_lspan',
      ]);
      for (const each of offered) expect(`${line}: ${shown}`).toContain(each);
    }
  });
});

async function scriptOf(shell: Shell): Promise<string> {
  let script = '';
  const write = async (text: string) => {
    script += text;
  };
  expect(await runCompletions({ kind: 'completions', shell }, { environment: process.env }, write)).toBe(0);
  return script;
}

async function madeFolder(shell: Shell): Promise<string> {
  const folder = temporaryFolder('lspan-completions-');
  writeFileSync(path.join(folder, 'script'), await scriptOf(shell));
  writeFileSync(path.join(folder, 'file.txt'), '');
  mkdirSync(path.join(folder, 'folder'));
  return folder;
}

function ran(cwd: string, shell: Shell, lines: readonly string[]): string {
  const clean = { bash: ['--norc', '--noprofile'], zsh: ['-f'], fish: ['--no-config'] }[shell];
  const { stdout, stderr } = spawnSync(shell, [...clean, '-c', lines.join('\n')], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, HOME: cwd, XDG_CONFIG_HOME: cwd, XDG_DATA_HOME: cwd, XDG_CACHE_HOME: cwd },
  });
  expect(stderr).toBe('');
  return stdout;
}

function expectOffered(
  line: string,
  shown: readonly string[],
  offered: readonly string[],
  not: readonly string[],
): void {
  expect({ line, missing: offered.filter((each) => !shown.includes(each)) }).toEqual({ line, missing: [] });
  expect({ line, extra: not.filter((each) => shown.includes(each)) }).toEqual({ line, extra: [] });
}
