import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { limits } from '../core/limits.ts';

/** The text of a small file, or why there is none. */
export type Reading = { readonly text: string } | { readonly wrong: string };

/** Reads a regular file of at most 256 KiB of UTF-8; never waits on a pipe, and follows a link only when told to. */
export function readSmallFile(file: string, options: { readonly followLinks: boolean }): Reading {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, flags(options.followLinks));
    if (!fstatSync(descriptor).isFile()) return { wrong: 'it is not a regular file.' };
    const buffer = Buffer.alloc(limits.configuration.file + 1);
    const length = readSync(descriptor, buffer, 0, buffer.length, 0);
    if (length === buffer.length)
      return { wrong: `it is larger than ${limits.configuration.file / 1024} KiB.` };
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length)) };
  } catch (thrown) {
    return { wrong: complaint(thrown) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
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
