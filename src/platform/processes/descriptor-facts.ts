import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { readProc } from './process-files.ts';

/** The kind of an open descriptor, in the words of a message. */
type DescriptorKind = 'a pipe' | 'a socket' | 'a regular file' | 'a folder' | 'a terminal' | 'a device';

/** Facts about an open descriptor. */
export interface DescriptorFacts {
  readonly kind: DescriptorKind;
  /** Equal for two descriptors of one socket, or of the two ends of one pipe. */
  readonly identity: string;
  /** Both are only known on Linux, and assumed to be true elsewhere. */
  readonly readable: boolean;
  readonly writable: boolean;
}

/** Returns the facts about a descriptor; `undefined` if it is not open, or is one of Node's own. */
export function descriptorFacts(descriptor: number): DescriptorFacts | undefined {
  const stats = resultOrError(() => fstatSync(descriptor, { bigint: true }));
  if (stats instanceof LspanError) return undefined;
  const kinds: readonly (readonly [DescriptorKind, boolean])[] = [
    ['a pipe', stats.isFIFO()],
    ['a socket', stats.isSocket()],
    ['a regular file', stats.isFile()],
    ['a folder', stats.isDirectory()],
    ['a terminal', isatty(descriptor)],
    ['a device', stats.isCharacterDevice() || stats.isBlockDevice()],
  ];
  const [kind] = kinds.find(([, is]) => is) ?? [];
  // Node uses the lowest free numbers for kernel events, which are of none of these kinds.
  if (kind === undefined) return undefined;
  const mode = accessMode(descriptor);
  return {
    kind,
    identity: `${stats.dev}:${stats.ino}`,
    readable: mode !== 'write',
    writable: mode !== 'read',
  };
}

/** https://man7.org/linux/man-pages/man5/proc_pid_fdinfo.5.html */
function accessMode(descriptor: number): 'read' | 'write' | 'both' {
  const flags = /^flags:\s+([0-7]+)$/m.exec(readProc('self', `fdinfo/${descriptor}`))?.[1];
  const mode = flags === undefined ? undefined : Number.parseInt(flags, 8) & 0o3;
  return mode === 0 ? 'read' : mode === 1 ? 'write' : 'both';
}
