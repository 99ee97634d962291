import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { fileFacts } from '../../platform/files/file-facts.ts';
import { ownershipFault } from '../../platform/files/file-owner.ts';
import { realFile } from '../../platform/files/real-file.ts';
import { readOwnFile } from '../read-own-file.ts';
import { removeDraftsOf } from './token-staging.ts';

/** The tokens of a file, empty if there is no file, or why none is valid. A fault never quotes the file. */
export interface TokenReading {
  readonly tokens: readonly string[];
  readonly fault?: LspanError;
}

/** Returns the path of the file with the bearer tokens of `lspan serve`. */
export function tokenFileIn(stateFolder: string): string {
  return path.join(stateFolder, 'token');
}

/** Reads the tokens. A file that another user could read or write, or with any other content, yields none. */
export function readTokenFile(file: string): TokenReading {
  const fault = folderFault(file);
  if (fault !== undefined) return { tokens: [], fault };
  const found = fileFacts(file);
  if (found === undefined) return { tokens: [] };
  // This check is needed on systems that cannot open a file without following links (no O_NOFOLLOW).
  if (found.isSymbolicLink()) return refused(file, 'it is a link, and links are not followed here.');
  if (found.nlink > 1n) removeDraftsOf(file, found.ino);
  const options = { followLinks: false, privateOnly: true, singleLink: true, latin1: true };
  const reading = readOwnFile(file, { ...options, maxBytes: limits.http.tokenFile });
  if ('wrong' in reading) return refused(file, reading.wrong);
  const lines = reading.text.split('\n');
  const wrong = formatFault(lines);
  return wrong === undefined
    ? { tokens: [...new Set(lines.filter((line) => line !== ''))] }
    : refused(file, wrong);
}

/** Returns why the file's folder is not private to this user; `undefined` if it is private or does not exist yet. */
export function folderFault(file: string): LspanError | undefined {
  const folder = path.dirname(file);
  const stats = realFile(folder)?.stats;
  const wrong = stats && (stats.isDirectory() ? ownershipFault(stats, 0o077) : 'it is not a folder.');
  if (wrong === undefined) return undefined;
  const nextStep = `Make it private: chmod 700 ${JSON.stringify(folder)}`;
  return new LspanError('refused', `The token folder ${folder} is not used: ${wrong} ${nextStep}`, {
    nextStep,
  });
}

/** 256 bits as base64url: 43 characters, of which the last carries only four bits. */
const shape = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

function formatFault(lines: readonly string[]): string | undefined {
  const count = lines.filter((line) => line !== '').length;
  if (count === 0) return 'it has no token.';
  if (count > limits.http.tokens) return `it has more than ${limits.http.tokens} lines.`;
  const wrong = lines.findIndex((line) => line !== '' && !shape.test(line));
  return wrong === -1 ? undefined : `line ${wrong + 1} is not exactly one token (256 bits as base64url).`;
}

function refused(file: string, wrong: string): TokenReading {
  const nextStep = 'Fix that, or replace the file: lspan token rotate';
  const message = `The token file ${file} is not used: ${wrong} ${nextStep}`;
  return { tokens: [], fault: new LspanError('refused', message, { nextStep }) };
}
