import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { nearestName } from '../../../core/wording/nearest-name.ts';
import type { KnownServer } from '../../../offline.ts';
import { serversFolder } from '../../../platform/install/servers-folder.ts';
import { type InstallContext, installUnit } from '../../install/install-unit.ts';
import { lackingServers } from '../../install/lacking-servers.ts';
import { type InstallUnit, installUnits } from '../../install/manifest.ts';
import { waitingLine } from '../../observe/terminal.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print, printNotice } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { usageError } from '../usage-error.ts';

type InstallCommand = Extract<CommandLine, { readonly kind: 'install' }>;

/** Runs `lspan install`: installs the named servers, or those that the workspace lacks; returns the exit code. */
export async function runInstall(
  { names, flags }: InstallCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const { environment } = context;
  const { knownServers, findOnPath } = await import('../../../offline.ts');
  const known = knownServers(environment);
  if (flags.list) {
    await write(listText(known));
    return 0;
  }
  const named = [...new Set(names.map((name) => serverNamed(name, known)))];
  const chosen = names.length > 0 ? named : await lackingHere(flags, context, known);
  if (chosen.length === 0)
    await write('Every language of the code here has a server. lspan install --list shows all servers.\n');
  const units = installUnits();
  const installing: Installing = { npm: findOnPath('npm', environment), environment, units };
  let failed = 0;
  for (const server of chosen) {
    const { text, isInstalled } = await install(server, installing);
    await write(text);
    if (!isInstalled) failed += 1;
  }
  return failed === 0 ? 0 : 1;
}

/** Returns the servers that the languages of the workspace lack. */
async function lackingHere(
  flags: InstallCommand['flags'],
  context: ProcessContext,
  known: readonly KnownServer[],
): Promise<readonly KnownServer[]> {
  const options = { surface: 'lspan', survivesFaults: false };
  const { bridge, roots, close } = await readSettings(flags, options, context);
  if (roots.length === 0) {
    close();
    throw usageError('No project is here: name a language or a server, or use --list.', 'install');
  }
  const { surveyWorkspace } = await import('../../../offline.ts');
  const { environment } = context;
  const waiting = waitingLine(process.stderr, environment, 'looking for the languages of this workspace');
  const survey = await surveyWorkspace({ ...bridge, roots, environment }).finally(() => {
    waiting.clear();
    close();
  });
  return lackingServers(survey, known);
}

interface Installing {
  /** Where npm is; `undefined` if it is not in PATH. */
  readonly npm: string | undefined;
  readonly environment: ProcessContext['environment'];
  readonly units: ReadonlyMap<string, InstallUnit>;
}

/** Returns the server of a name, or the first one for a language or file extension. */
function serverNamed(name: string, known: readonly KnownServer[]): KnownServer {
  const wanted = name.toLowerCase().replace(/^\./, '');
  const found =
    known.find(({ id }) => id === wanted) ??
    known.find(({ languages }) => languages.includes(wanted)) ??
    known.find(({ extensions }) => extensions.includes(wanted));
  if (found) return found;
  const all = known.flatMap(({ id, languages }) => [id, ...languages]);
  const nearest = nearestName(wanted, [...new Set(all)]);
  const advice = nearest === undefined ? ' lspan install --list shows all.' : ` Did you mean ${nearest}?`;
  throw usageError(`No server or language is called "${name}".${advice}`, 'install');
}

async function install(
  { id, origin, install: how }: KnownServer,
  { npm, environment, units }: Installing,
): Promise<{ readonly text: string; readonly isInstalled: boolean }> {
  const unit = units.get(id);
  const isOutdated = origin?.endsWith('by lspan install') ?? false;
  if (origin !== undefined && !isOutdated)
    return { text: `${id} is installed already (${origin}).\n`, isInstalled: true };
  if (unit === undefined) return { text: `${id} cannot be installed by npm. ${how}\n`, isInstalled: false };
  if (npm === undefined)
    return {
      text: `${id} is installed by npm, which is not in PATH. It comes with Node.\n`,
      isInstalled: false,
    };
  const folder = serversFolder(environment);
  const context: InstallContext = { npm, folder, environment, onProgress: progressOf(unit.name) };
  const isNew = await installUnit(unit, context).catch((thrown: unknown) => {
    if (thrown instanceof LspanError && thrown.code !== 'internal') return thrown;
    throw thrown;
  });
  if (process.stderr.isTTY && isNew !== false) process.stderr.write('\n');
  if (isNew instanceof LspanError) return { text: `${isNew.message}\n`, isInstalled: false };
  const text = isNew
    ? `Installed ${unit.name} in ${folder}. A running lspan uses it at the next call for ${id}.\n`
    : `${id} is installed already (${unit.name}).\n`;
  return { text, isInstalled: true };
}

/** Returns what shows the progress: a bar on a terminal, one line elsewhere. */
function progressOf(name: string): InstallContext['onProgress'] {
  const { stderr } = process;
  let isTold = false;
  return (fetched, all) => {
    if (!stderr.isTTY && !isTold) printNotice(`installing ${name}`);
    isTold = true;
    if (!stderr.isTTY) return;
    const done = Math.round((fetched / all) * limits.install.bar);
    const bar = `${'#'.repeat(done)}${'-'.repeat(limits.install.bar - done)}`;
    stderr.write(`\r${name} [${bar}] ${fetched} of ${all} packages`);
  };
}

function listText(known: readonly KnownServer[]): string {
  const units = installUnits();
  const rows = known.map(({ id, languages, origin, install: how }) => {
    const state = origin !== undefined ? `installed: ${origin}` : units.has(id) ? `lspan install ${id}` : how;
    return [id, languages.slice(0, limits.install.languages).join(', '), state] as const;
  });
  const width = (at: 0 | 1) => Math.max(...rows.map((row) => row[at].length));
  const lines = rows.map(([id, languages, state]) =>
    [id.padEnd(width(0)), languages.padEnd(width(1)), state].join('  '),
  );
  return `${lines.join('\n')}\n`;
}
