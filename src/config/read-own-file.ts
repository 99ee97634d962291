import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { limits } from '../core/limits.ts';
import { ownershipFault } from '../platform/files/file-owner.ts';

/** The text of a small file, or why it was not read. */
type SmallFile = { readonly text: string } | { readonly wrong: string };

/** Conditions that a file must meet before its text is used. */
interface ReadOptions {
  readonly followLinks: boolean;
  /** Default 256 KiB. */
  readonly maxBytes?: number;
  /** Refuses a file that another user owns, or could read or write. */
  readonly privateOnly?: boolean;
  /** Refuses a file with a second hard link, through which it could be changed. */
  readonly singleLink?: boolean;
  /** Decodes each byte as one character, so that nothing is dropped or replaced, such as a byte order mark. */
  readonly latin1?: boolean;
}

/** Reads a regular UTF-8 file up to a size limit. Never blocks on a pipe; follows links only if `followLinks`. */
export function readOwnFile(file: string, options: ReadOptions): SmallFile {
  const { maxBytes = limits.configuration.file } = options;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, flags(options.followLinks));
    const fault = faultOf(fstatSync(descriptor), options);
    if (fault !== undefined) return { wrong: fault };
    const buffer = Buffer.alloc(maxBytes + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (length === buffer.length) return { wrong: `it is larger than ${maxBytes / 1024} KiB.` };
    const bytes = buffer.subarray(0, length);
    if (options.latin1) return { text: bytes.toString('latin1') };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (thrown) {
    return { wrong: reasonFor(thrown) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function faultOf(stats: Stats, { privateOnly = false, singleLink = false }: ReadOptions): string | undefined {
  if (!stats.isFile()) return 'it is not a regular file.';
  if (singleLink && stats.nlink > 1) return 'it is a hard link.';
  return privateOnly ? ownershipFault(stats, 0o077) : undefined;
}

function flags(followLinks: boolean): number {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  return O_RDONLY | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist.',
  ELOOP: 'it is a link, and links are not followed here.',
  EISDIR: 'it is a folder.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text.',
};

function reasonFor(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown';
  return reasons[code] ?? `it cannot be read (${code}).`;
}
