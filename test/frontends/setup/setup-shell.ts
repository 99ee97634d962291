import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { runSetup } from '../../../src/frontends/cli/commands/run-setup.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import { temporaryFolder } from '../../config/temporary-folder.ts';

/** A user with a home, a project and an lspan on the PATH, who runs `lspan setup`. */
export function openSetupShell(files: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder({ 'project/.git/HEAD': '', 'bin/node': '', 'installed/bin.js': '', ...files });
  symlinkSync(path.join(home, 'installed/bin.js'), path.join(home, 'bin/lspan'));
  const at = (file: string) => path.join(home, file);
  const context = {
    environment: { XDG_STATE_HOME: at('state'), PATH: at('bin') },
    cwd: at('project'),
    home,
  };
  const own = {
    script: at('installed/bin.js'),
    node: at('bin/node'),
    platform: 'linux' as const,
    folders: [at('bin')],
  };
  /** `answer` is what the user types, maybe after something else; without one there is no terminal. */
  const run = async (
    words: string,
    { answer, more = {} }: { answer?: string | (() => string); more?: Readonly<Record<string, string>> } = {},
  ) => {
    const told: string[] = [];
    const write = async (text: string) => void told.push(text);
    const ask = async (question: string) => {
      told.push(question);
      return typeof answer === 'function' ? answer() : (answer ?? '');
    };
    const command = parseCommandLine(['setup', ...words.split(' ').filter((word) => word !== '')]);
    if (command.kind !== 'setup') return expect.unreachable();
    const terminal = { write, ask: answer === undefined ? undefined : ask };
    const around = { ...context, environment: { ...context.environment, ...more } };
    const code = await runSetup(command, around, terminal, own).catch((error: unknown) => {
      told.push(error instanceof Error ? error.message : '');
      return -1;
    });
    return { code, told: told.join('').replaceAll(home, '~') };
  };
  return {
    home,
    at,
    run,
    /** The text of a file, in which the home has the same name in every run. */
    read: (file: string) =>
      existsSync(at(file)) ? readFileSync(at(file), 'utf8').replaceAll(home, '/home/me') : undefined,
    write: (file: string, text: string) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
  };
}
