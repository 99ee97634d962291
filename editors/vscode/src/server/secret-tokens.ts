import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import { KnownTokens } from '../../../../src/frontends/http/known-tokens.ts';
import type { Tokens } from '../../../../src/frontends/http/request-rules.ts';
import { editorLimits } from '../editor-limits.ts';

/** Returns the tokens in the secret storage; makes the first. Throws if the stored value is not a list of tokens. */
export async function obtainTokens(secrets: vscode.SecretStorage, key: string): Promise<readonly string[]> {
  const stored = await secrets.get(key);
  if (stored !== undefined) return parseTokens(stored);
  const made = [randomBytes(32).toString('base64url')];
  await storeTokens(secrets, key, made);
  return made;
}

/** Stores tokens instead of those that are stored. */
export async function storeTokens(
  secrets: vscode.SecretStorage,
  key: string,
  tokens: readonly string[],
): Promise<void> {
  await secrets.store(key, JSON.stringify(tokens));
}

/** Reads tokens that a person typed, separated by blanks or commas. */
export function readTyped(typed: string): readonly string[] | undefined {
  const tokens = [...new Set(typed.split(/[\s,]+/).filter((one) => one !== ''))];
  return areTokens(tokens) ? tokens : undefined;
}

/** Anything else than a list of tokens ends the service: a part of it might be a token that was withdrawn. */
function parseTokens(stored: string): readonly string[] {
  const value = parsed(stored);
  if (Array.isArray(value) && areTokens(value)) return value;
  throw new LspanError('refused', 'The tokens in the secret storage are malformed, so nothing is served.', {
    nextStep: 'Run "Clear Bearer Token(s)" or "Set Bearer Token(s)".',
  });
}

function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

function areTokens(values: readonly unknown[]): values is readonly string[] {
  const { most } = editorLimits.tokens;
  return values.length > 0 && values.length <= most && values.every(isToken);
}

/** The characters of a bearer token: https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function isToken(value: unknown): value is string {
  const { least, length } = editorLimits.tokens;
  if (typeof value !== 'string' || value.length < least || value.length > length) return false;
  return /^[A-Za-z0-9._~+/-]+=*$/.test(value);
}

/** The tokens that are valid while a server runs. */
export class SecretTokens extends KnownTokens implements Tokens {
  constructor(tokens: readonly string[]) {
    super();
    this.replace(tokens);
  }

  confirmed(): undefined {
    return undefined;
  }
}
