import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { stateFolder } from '../../config/state-folder.ts';
import type { Environment } from '../../config/user-file.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { shellWord } from '../../core/wording/shell-words.ts';
import { ownershipFault } from '../../platform/files/file-owner.ts';
import { type Build, machineId } from '../../platform/files/identity-files.ts';
import { makePrivateFolder } from '../../platform/files/private-folder.ts';

/** Where the daemon of one user and one build is found. */
export interface DaemonPlace {
  readonly folder: string;
  /** What the names of its files have in common. */
  readonly name: string;
  readonly socket: string;
  /** Where the socket is opened, before it gets its name: Node deletes what has the first name when it closes the socket. */
  readonly opening: string;
  /** The secret by which daemon and clients know each other. */
  readonly secret: string;
  /** Which process it is, for those who must end one that hangs. */
  readonly process: string;
  /** How long it has been silent, as clients note for each other. */
  readonly silence: string;
  readonly log: string;
}

/**
 * Returns the place of the daemon of a build, and makes its folder. It is never in a temporary or runtime folder: those
 * differ between a terminal, an editor, cron and ssh, and then there would be two. Throws where others could reach it.
 */
export function daemonPlace(environment: Environment, { id }: Pick<Build, 'id'>): DaemonPlace {
  const folder = daemonFolder(environment);
  const facts = [machineId(), id, process.version, realpathSync(folder), environment.HOME || homedir()];
  const name = createHash('sha256').update(facts.join('\0')).digest('hex').slice(0, limits.daemon.name);
  return placeNamed(folder, name);
}

/** Returns the place whose files have a name. Throws if a socket there could not be opened. */
export function placeNamed(folder: string, name: string): DaemonPlace {
  const file = (ending: string) => path.join(folder, `${name}.${ending}`);
  const socket = file('sock');
  const { linux, others } = limits.daemon.socketPath;
  const most = process.platform === 'linux' ? linux : others;
  if (Buffer.byteLength(socket) > most && process.platform !== 'win32')
    throw noPlace(`the path of its socket would be longer than ${most} bytes: ${socket}`, elsewhere);
  const own = { opening: file('new'), secret: file('key'), process: file('pid') };
  return { folder, name, socket, ...own, silence: file('silent'), log: file('log') };
}

/** Returns the names of the daemons that have a socket in a folder, whether they run or not. */
export function daemonNames(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((file) => /^([0-9a-f]+)\.sock$/.exec(file)?.[1] ?? []);
}

/** Returns the folder of all daemons of the user, made if it is missing. Throws if others could write there. */
export function daemonFolder(environment: Environment): string {
  const state = stateFolder(environment);
  const folder = path.join(state, 'daemon');
  // The first is checked before anything is made in it: it may be a link.
  for (const [one, open] of [
    [state, othersMayWrite],
    [folder, 0],
  ] as const) {
    const made = resultOrError(() => makePrivateFolder(one));
    if (made instanceof LspanError) throw noPlace(`${one} cannot be made: ${reasonOf(made)}`, elsewhere);
    checkFolder(one, open);
  }
  chmodSync(folder, 0o700);
  checkFolder(folder, othersMayOpen);
  return folder;
}

const othersMayWrite = 0o022;

const othersMayOpen = 0o077;

/** Only a folder itself, of this user: what a link leads to may be changed by others. */
function checkFolder(folder: string, open: number): void {
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) throw noPlace(`${folder} is no folder, or a link to one`, elsewhere);
  const fault = ownershipFault(stats, open);
  if (fault !== undefined)
    throw noPlace(`${folder} is not safe, because ${fault.replace(/\.$/, '')}`, remedyFor(folder, stats));
}

/** Returns why something failed; of an unforeseen failure, what the system says. */
export function reasonOf({ cause, message }: LspanError): string {
  return cause instanceof Error ? cause.message : message;
}

/** Returns how a folder becomes safe, or which other one can be taken. */
function remedyFor(folder: string, { uid }: Stats): string {
  return uid === process.getuid?.() ? `Run \`chmod 700 ${shellWord(folder)}\`.` : elsewhere;
}

const elsewhere = 'Set XDG_STATE_HOME to a folder that only you can write.';

/** Returns why something failed, and what helps, if that is known. */
export function reasonAndRemedy(error: LspanError): string {
  return [reasonOf(error), error.nextStep].filter((part) => part !== undefined).join(' ');
}

function noPlace(why: string, nextStep: string): LspanError {
  return new LspanError('refused', `There is no safe place for a daemon: ${why}.`, { nextStep });
}
