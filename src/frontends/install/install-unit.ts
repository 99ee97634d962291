import { LspanError } from '../../core/errors.ts';
import { InstallFolder } from '../../platform/install/install-folder.ts';
import { runProgram } from '../../platform/processes/run-program.ts';
import type { InstallUnit } from './manifest.ts';

/** With what and where a unit is installed. */
export interface InstallContext {
  readonly npm: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told how many packages npm has fetched, of how many. */
  readonly onProgress: (fetched: number, all: number) => void;
}

/** Installs a unit by npm, all or nothing, with the versions and hashes of its lock; false if it is there already. */
export async function installUnit(unit: InstallUnit, context: InstallContext): Promise<boolean> {
  const folder = new InstallFolder(context.folder, unit.name);
  if (folder.isThere) return false;
  folder.begin(filesOf(unit));
  try {
    await runNpm(folder.draft, unit, context);
    const [first = ''] = Object.keys(unit.dependencies);
    const before = `${first.replace('/', '+')}@`;
    folder.finish((name) => name.startsWith(before) && isMore(name) === isMore(unit.name));
  } finally {
    folder.discard();
  }
  return true;
}

/** A unit of several packages is none of another version of the first one alone. */
function isMore(name: string): boolean {
  return /\+\d+$/.test(name);
}

function filesOf({ dependencies, packages }: InstallUnit): Readonly<Record<string, string>> {
  const own = { name: 'lspan-servers', version: '1.0.0', private: true, dependencies };
  const lock = { name: own.name, version: own.version, lockfileVersion: 3, requires: true };
  return {
    'package.json': `${JSON.stringify(own, undefined, 2)}\n`,
    'package-lock.json': `${JSON.stringify({ ...lock, packages: { '': own, ...packages } }, undefined, 2)}\n`,
  };
}

/** No script of a package is run. */
const flags = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev', '--loglevel=http'];

async function runNpm(draft: string, unit: InstallUnit, context: InstallContext): Promise<void> {
  const { npm, environment, onProgress } = context;
  const all = Object.keys(unit.packages).length;
  const said: string[] = [];
  let fetched = 0;
  const onLine = (line: string) => {
    if (/^npm (?:error|ERR!)/.test(line)) said.push(line.replace(/^npm \S+\s*/, ''));
    if (!/^npm http /.test(line)) return;
    fetched = Math.min(fetched + 1, all);
    onProgress(fetched, all);
  };
  const code = await runProgram(npm, flags, { folder: draft, environment, onLine });
  if (code === 0) return;
  throw new LspanError(
    'not_installed',
    `npm could not install ${unit.name}: ${reasonOf(said)} Nothing was changed.`,
    {
      nextStep: 'Correct that, then run it again: what npm has fetched is not fetched twice.',
    },
  );
}

/** Returns the first sentences of npm that are more than a code. */
function reasonOf(said: readonly string[]): string {
  const words = said.map((line) => line.trim()).filter((line) => line.length > 0);
  const isOffline = words.some((line) =>
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/.test(line),
  );
  const reason =
    words.find((line) => !/^(?:code|errno|syscall|A complete log)\b/.test(line)) ?? 'it gave no reason.';
  return `${isOffline ? 'the registry cannot be reached: ' : ''}${reason.replace(/[.\s]*$/, '.')}`;
}
