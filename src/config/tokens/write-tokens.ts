import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, linkSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { createPrivateFile, syncNames } from '../../platform/files/private-file.ts';
import { makePrivateFolder } from '../../platform/files/private-folder.ts';
import { folderFault, readTokenFile } from './token-file.ts';
import { isAbandoned, removeOldDrafts, writeDraft } from './token-staging.ts';

/** Creates a token if there is none. If several processes do so at once, one creates it and the others find it. */
export function ensureToken(file: string): void {
  if (tokensOf(file).length > 0) return;
  writing(file, () => createFirst(file, newToken()));
  tokensOf(file);
}

/** Adds a new token and returns it; earlier tokens become invalid unless `keep`. */
export function rotateTokens(file: string, { keep }: { readonly keep: boolean }): string {
  return writing(file, () => {
    const token = newToken();
    const lock = acquireLock(file);
    try {
      removeOldDrafts(file);
      if (keep && tokensOf(file).length === 0 && createFirst(file, token)) return token;
      replace(file, [...(keep ? keptTokens(file) : []), token], lock);
      return token;
    } finally {
      releaseLock(file, lock);
    }
  });
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function tokensOf(file: string): readonly string[] {
  const { tokens, fault } = readTokenFile(file);
  if (fault !== undefined) throw fault;
  return tokens;
}

function keptTokens(file: string): readonly string[] {
  const tokens = tokensOf(file);
  if (tokens.length < limits.http.tokens) return tokens;
  const nextStep = `Remove lines from ${file}, or keep none: lspan token rotate`;
  throw new LspanError(
    'limit_exceeded',
    `There are already ${tokens.length} tokens, the maximum. ${nextStep}`,
    {
      nextStep,
    },
  );
}

/** Returns whether this token became the file: a link fails if the name exists already. */
function createFirst(file: string, token: string): boolean {
  const draft = writeDraft(file, [token]);
  try {
    linkSync(draft, file);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  } finally {
    rmSync(draft, { force: true });
    syncNames(path.dirname(file));
  }
}

function replace(file: string, tokens: readonly string[], lock: number): void {
  const draft = writeDraft(file, tokens);
  try {
    // A process that was suspended for long may have lost the lock; its list of kept tokens is then outdated.
    if (fstatSync(lock).nlink === 0) throw beingWritten(file);
    renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  syncNames(path.dirname(file));
}

function acquireLock(file: string): number {
  const lock = lockOf(file);
  if (isAbandoned(lock)) rmSync(lock, { force: true });
  try {
    return createPrivateFile(lock);
  } catch (thrown) {
    throw codeOf(thrown) === 'EEXIST' ? beingWritten(file) : thrown;
  }
}

function releaseLock(file: string, lock: number): void {
  const isHeld = fstatSync(lock).nlink > 0;
  closeSync(lock);
  if (isHeld) rmSync(lockOf(file), { force: true });
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

/** Runs `write` in a folder that is private to this user; converts system errors. */
function writing<T>(file: string, write: () => T): T {
  try {
    makePrivateFolder(path.dirname(file));
    const fault = folderFault(file);
    if (fault !== undefined) throw fault;
    return write();
  } catch (thrown) {
    const code = codeOf(thrown);
    if (code === undefined || thrown instanceof LspanError) throw thrown;
    throw notWritten(file, code);
  }
}

function codeOf(thrown: unknown): string | undefined {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : undefined;
}

function beingWritten(file: string): LspanError {
  const nextStep = `Try again in ${limits.http.tokenWriting / 1000} s at most.`;
  return new LspanError('busy', `Another lspan is changing the token file ${file}. ${nextStep}`, {
    nextStep,
  });
}

function notWritten(file: string, code: string): LspanError {
  const nextStep = `Make it writable, or set XDG_STATE_HOME to a writable folder.`;
  return new LspanError('refused', `The token file ${file} cannot be written (${code}). ${nextStep}`, {
    nextStep,
  });
}
