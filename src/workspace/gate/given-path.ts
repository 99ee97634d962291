import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { looksLikeUri, pathOfUri } from './uri.ts';
import { isForeignShare, windowsFault } from './windows-path.ts';

/** Reads a path or `file:` URI that an agent gave; throws if it cannot be a file of the workspace. */
export function readGivenPath(given: string, platform: NodeJS.Platform = process.platform): string {
  const complaint = complaintAbout(given, platform);
  if (complaint) throw new LspanError('invalid_input', complaint, { nextStep: passInside });
  if (isForeignShare(given, platform)) throw outsideWorkspace(given);
  if (!looksLikeUri(given)) return given;
  const reading = pathOfUri(given, platform);
  if ('path' in reading) return reading.path;
  if (reading.wrong === 'host') throw outsideWorkspace(given);
  throw new LspanError('invalid_input', uriComplaints[reading.wrong](given), { nextStep: passInside });
}

/**
 * The only error for whatever lies outside, so that it reveals nothing about it.
 * @param bases The folders to which a relative path refers.
 * @param meant The file of the workspace that was probably meant.
 */
export function outsideWorkspace(given: string, bases: readonly string[] = [], meant?: string): LspanError {
  const reading = looksLikeUri(given) ? pathOfUri(given) : { path: given };
  const [base] = bases;
  return new LspanError('outside_workspace', `${quotePath(given)} is not inside the workspace.`, {
    nextStep: meant === undefined ? passInside : `Did you mean ${quotePath(meant)}?`,
    ...('path' in reading && base !== undefined && { outside: path.resolve(base, reading.path) }),
  });
}

const passInside = 'Pass a path inside the workspace, relative to its root.';

const uriComplaints = {
  scheme: (given: string) => `${quotePath(given)} is not a file: only paths and file: URIs can be read.`,
  malformed: (given: string) => `${quotePath(given)} is not a well-formed file: URI.`,
} as const;

function complaintAbout(given: string, platform: NodeJS.Platform): string | undefined {
  if (given === '') return 'The path is empty.';
  if (given.length > limits.path.length) return `The path is longer than ${limits.path.length} characters.`;
  if (given.includes('\0')) return `The path ${quotePath(given)} has a NUL character.`;
  if (/\p{Surrogate}/u.test(given)) return `The path ${quotePath(given)} is not well-formed Unicode.`;
  if (platform !== 'win32' || looksLikeUri(given) || isForeignShare(given, platform)) return undefined;
  const fault = windowsFault(given);
  return fault && `The path ${quotePath(given)} ${fault}.`;
}
