import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { readProc } from './process-files.ts';

/** What a descriptor leads to, in the words of a message. */
export type DescriptorKind =
  | 'a pipe'
  | 'a socket'
  | 'a regular file'
  | 'a folder'
  | 'a terminal'
  | 'a device';

/** What is known of an open descriptor. */
export interface DescriptorFacts {
  readonly kind: DescriptorKind;
  /** The same for two descriptors that lead to one socket, or to the two ends of one pipe. */
  readonly identity: string;
  /** Whether it can be read and written; only Linux tells, and elsewhere it is taken to be both. */
  readonly readable: boolean;
  readonly writable: boolean;
}

/** Looks at a descriptor; nothing where none is open but, perhaps, one of Node's own. */
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
  // Node takes the lowest numbers that are free for its own: events of the kernel, which are of no kind at all.
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
