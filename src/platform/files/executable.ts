import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import path from 'node:path';

/** Returns why this system cannot run a file as a program, as the end of a sentence; `undefined` if it can. */
export function executableFault(
  file: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  try {
    if (platform === 'win32' && batch.test(file)) return 'is a batch file, which only a shell can run';
    if (!statSync(file).isFile()) return 'is not a file';
    accessSync(file, constants.X_OK);
    return platform === 'win32' ? undefined : headFault(readHead(file));
  } catch (error) {
    return faults[errorCode(error)] ?? 'cannot be read';
  }
}

/** The shell of Windows has no safe way to quote an argument. It ignores dots and spaces at the end of a name. */
const batch = /\.(?:bat|cmd)[. ]*$/i;

/** Returns the files that a name in PATH may mean. Windows runs no script by its first line; leaves out batch files. */
export function programFiles(name: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  return platform === 'win32' ? [`${name}.exe`, `${name}.com`] : [name];
}

/** Returns the file of a program that is given by its name, as a shell finds it, or by its path; `undefined` if there is none. */
export function programOnPath(
  name: string,
  { PATH, Path }: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folders = (PATH ?? Path ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const files = /[/\\]/.test(name)
    ? [path.resolve(name)]
    : folders.flatMap((folder) => programFiles(name).map((file) => path.join(folder, file)));
  return files.find((file) => executableFault(file) === undefined);
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'may not be read and executed by this user',
  ELOOP: 'is a link that leads to itself',
};

/** Refuses any other file: the shell that starts a server would run it line by line, as a script of its own. */
function headFault(head: Buffer): string | undefined {
  if (head.subarray(0, 2).toString('latin1') === '#!') return interpreterFault(head);
  if (isElf(head)) return machineFault(head);
  if (head.length >= 4 && machO.has(head.readUInt32BE(0))) return undefined;
  return 'is neither a program nor a script that begins with #!';
}

function isElf(head: Buffer): boolean {
  return head.subarray(0, 4).toString('latin1') === '\x7fELF';
}

const machO: ReadonlySet<number> = new Set([
  0xcafebabe, 0xcafebabf, 0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe,
]);

function interpreterFault(head: Buffer): string | undefined {
  const line = head.toString('latin1').split('\n', 1)[0] ?? '';
  const interpreter = line.slice(2).trim().split(/\s/, 1)[0] ?? '';
  if (!path.isAbsolute(interpreter))
    return 'is a script whose first line has no absolute path of an interpreter';
  if (existsSync(interpreter)) return undefined;
  return `is a script for ${path.basename(interpreter)}, which is not at ${interpreter}`;
}

/** ELF machine numbers whose processors also run another: 64-bit x86 and ARM run their 32-bit programs. */
const alsoRuns: Readonly<Record<number, number>> = { 62: 3, 183: 40 };

function machineFault(head: Buffer): string | undefined {
  // `execPath` may have been replaced since the start, or name something else.
  const ours = existsSync(process.execPath) ? readHead(process.execPath) : Buffer.alloc(0);
  const [here, theirs] = [machineOf(ours), machineOf(head)];
  if (here === undefined || theirs === here || theirs === alsoRuns[here]) return undefined;
  return `is built for another kind of processor than ${process.arch}`;
}

function machineOf(head: Buffer): number | undefined {
  if (head.length < 20 || !isElf(head)) return undefined;
  return head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
}

function readHead(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const head = Buffer.alloc(256);
    return head.subarray(0, readSync(descriptor, head, 0, head.length, 0));
  } finally {
    closeSync(descriptor);
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
