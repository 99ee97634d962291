import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { fileFacts } from '../../platform/files/file-facts.ts';
import { ownershipFault } from '../../platform/files/file-owner.ts';
import { realFile } from '../../platform/files/real-file.ts';
import { readOwnFile } from '../read-own-file.ts';
import { forgetDraftsOf } from './token-staging.ts';

/** The tokens of a file, none where there is no file; or why none of them counts. Nothing of a file is ever told. */
export interface TokenReading {
  readonly tokens: readonly string[];
  readonly fault?: LspanError;
}

/** The file with the bearer tokens of `lspan serve`. */
export function tokenFileIn(stateFolder: string): string {
  return path.join(stateFolder, 'token');
}

/** Reads the tokens. A file that somebody else could read or write, or that holds anything else, has none. */
export function readTokenFile(file: string): TokenReading {
  const fault = folderFault(file);
  if (fault !== undefined) return { tokens: [], fault };
  const found = fileFacts(file);
  if (found === undefined) return { tokens: [] };
  // Where the system cannot be told not to follow a link when it opens a file, this look must do.
  if (found.isSymbolicLink()) return refused(file, 'it is a link, and links are not followed here.');
  if (found.nlink > 1n) forgetDraftsOf(file, found.ino);
  const demands = { followLinks: false, onlyMine: true, onlyName: true, byteByByte: true };
  const reading = readOwnFile(file, { ...demands, most: limits.http.tokenFile });
  if ('wrong' in reading) return refused(file, reading.wrong);
  const lines = reading.text.split('\n');
  const wrong = malformation(lines);
  return wrong === undefined
    ? { tokens: [...new Set(lines.filter((line) => line !== ''))] }
    : refused(file, wrong);
}

/** Why the folder of the file is not this user's alone; nothing where it is, or is not there yet. */
export function folderFault(file: string): LspanError | undefined {
  const folder = path.dirname(file);
  const stats = realFile(folder)?.stats;
  const wrong = stats && (stats.isDirectory() ? ownershipFault(stats, 0o077) : 'it is not a folder.');
  if (wrong === undefined) return undefined;
  const nextStep = `Make it a folder of yours alone: chmod 700 ${JSON.stringify(folder)}`;
  return new LspanError('refused', `The folder of tokens ${folder} is not used: ${wrong} ${nextStep}`, {
    nextStep,
  });
}

/** 256 bits as base64url: the last of 43 characters has four of them. */
const shape = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function malformation(lines: readonly string[]): string | undefined {
  const held = lines.filter((line) => line !== '').length;
  if (held === 0) return 'it holds no token.';
  if (held > limits.http.tokens) return `it holds more than ${limits.http.tokens} lines.`;
  const wrong = lines.findIndex((line) => line !== '' && !shape.test(line));
  return wrong === -1 ? undefined : `line ${wrong + 1} is not a token (256 bits as base64url), or not only.`;
}

function refused(file: string, wrong: string): TokenReading {
  const nextStep = 'Put that right, or have a new file in its place: lspan token rotate';
  const message = `The token file ${file} is not used: ${wrong} ${nextStep}`;
  return { tokens: [], fault: new LspanError('refused', message, { nextStep }) };
}
