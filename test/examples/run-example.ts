import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** How an example ended, and what it wrote. */
export interface Ran {
  readonly code: number;
  readonly printed: string;
  readonly told: string;
}

/** Where the examples are. */
export const examples = path.resolve(import.meta.dirname, '../../examples');

/** The environment of somebody who has configured nothing, outside of any hook of git. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const nobody = temporaryFolder('lspan-nobody-');
  return {
    ...Object.fromEntries(kept),
    XDG_CONFIG_HOME: nobody,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}

/** A small TypeScript project in a folder of its own. */
export function makeProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder('lspan-example-');
  const settings = { compilerOptions: { strict: true, module: 'nodenext', noEmit: true, types: [] } };
  const all = { 'tsconfig.json': `${JSON.stringify(settings)}\n`, 'package.json': '{}\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** Runs a program to its end in a folder. What it started must have ended with it. */
export async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const options = { cwd, env: { ...ownEnvironment(), ...environment }, timeout: 110_000 };
  const ran = await new Promise<Ran>((resolve) => {
    execFile(program, args, options, (error, printed, told) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, printed, told });
    });
  });
  expect(startedIn(cwd)).toEqual([]);
  expect(ran.told).not.toMatch(/Warning/);
  return ran;
}

/** Runs an example to its end. */
export function runExample(script: string, args: readonly string[], cwd: string): Promise<Ran> {
  return run(process.execPath, [path.join(examples, script), ...args], cwd);
}

/** A folder until the end of the test. Nothing of lspan's sources is loaded here: the examples use what was built. */
export function temporaryFolder(prefix: string): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), prefix)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The processes that work in a folder, as language servers do in their workspace. */
function startedIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => folderOf(pid)?.startsWith(folder));
}

// A process may end while it is looked at, and others are nobody's to look at.
function folderOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
