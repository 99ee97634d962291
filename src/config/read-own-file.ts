import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { limits } from '../core/limits.ts';
import { ownershipFault } from '../platform/files/file-owner.ts';

/** The text of a small file, or why there is none. */
export type SmallFile = { readonly text: string } | { readonly wrong: string };

/** What is asked of a file before its text is believed. */
export interface ReadOptions {
  readonly followLinks: boolean;
  /** Bytes; 256 KiB when absent. */
  readonly most?: number;
  /** Refuses a file that somebody else owns, or could read or write. */
  readonly onlyMine?: boolean;
  /** Refuses a file that is also called otherwise, and could be changed by that name. */
  readonly onlyName?: boolean;
  /** Gives each byte as one character, so that nothing is left out or made another: a mark of the byte order, say. */
  readonly byteByByte?: boolean;
}

/** Reads a regular file of UTF-8 within its bound; never waits on a pipe, and follows a link only when told to. */
export function readOwnFile(file: string, demands: ReadOptions): SmallFile {
  const { most = limits.configuration.file } = demands;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, flags(demands.followLinks));
    const fault = faultOf(fstatSync(descriptor), demands);
    if (fault !== undefined) return { wrong: fault };
    const buffer = Buffer.alloc(most + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (length === buffer.length) return { wrong: `it is larger than ${most / 1024} KiB.` };
    const bytes = buffer.subarray(0, length);
    if (demands.byteByByte) return { text: bytes.toString('latin1') };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (thrown) {
    return { wrong: complaint(thrown) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function faultOf(stats: Stats, { onlyMine = false, onlyName = false }: ReadOptions): string | undefined {
  if (!stats.isFile()) return 'it is not a regular file.';
  if (onlyName && stats.nlink > 1) return 'it has a second name (a hard link).';
  return onlyMine ? ownershipFault(stats, 0o077) : undefined;
}

function flags(followLinks: boolean): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  return O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW);
}

const complaints: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist.',
  ELOOP: 'it is a link, and links are not followed here.',
  EISDIR: 'it is a folder.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text.',
};

function complaint(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
  return complaints[code] ?? `it cannot be read (${code}).`;
}
