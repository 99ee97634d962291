import { describe, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import {
  obtainTokens,
  readTyped,
  SecretTokens,
  storeTokens,
} from '../../editors/vscode/src/server/secret-tokens.ts';

/** A secret storage in memory. */
function secretsWith(stored: Readonly<Record<string, string>>): vscode.SecretStorage {
  const values = new Map(Object.entries(stored));
  return {
    get: async (key) => values.get(key),
    store: async (key, value) => void values.set(key, value),
    delete: async (key) => void values.delete(key),
    onDidChange: () => ({ dispose: () => {} }),
  };
}

const [first, second] = ['a'.repeat(43), 'b'.repeat(43)];

describe('the tokens in the secret storage', () => {
  it('are made at the first start, and stay', async () => {
    const secrets = secretsWith({});
    const made = await obtainTokens(secrets, 'key');
    expect(made).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(await obtainTokens(secrets, 'key')).toEqual(made);
    expect(await obtainTokens(secrets, 'other')).not.toEqual(made);
  });

  it('are those that the user set', async () => {
    const secrets = secretsWith({});
    await storeTokens(secrets, 'key', [first, second]);
    expect(await obtainTokens(secrets, 'key')).toEqual([first, second]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', first],
    ['no list', JSON.stringify(first)],
    ['an empty list', '[]'],
    ['a short token', JSON.stringify([first, 'short'])],
    ['a token with a line break', JSON.stringify([`${first}\n`])],
    ['something that is no text', JSON.stringify([first, 1])],
    ['more tokens than allowed', JSON.stringify(Array.from({ length: 33 }, (_, at) => `${first}${at}`))],
  ])('end the service if they are %s', async (_what, stored) => {
    await expect(obtainTokens(secretsWith({ key: stored }), 'key')).rejects.toMatchObject({
      code: 'refused',
      message: expect.not.stringContaining(first),
    });
  });
});

describe('tokens that a person types', () => {
  it('are separated by blanks or commas, and each counts once', () => {
    expect(readTyped(` ${first}, ${second}\n${first}`)).toEqual([first, second]);
    expect(readTyped('short')).toBeUndefined();
    expect(readTyped('')).toBeUndefined();
  });
});

describe('the tokens of a running server', () => {
  it('are known by ids that reveal nothing, and are withdrawn', () => {
    const tokens = new SecretTokens([first, second]);
    const gone: string[] = [];
    tokens.onRevoked((tokenId) => gone.push(tokenId));
    const [one, two] = [tokens.tokenIdOf(first), tokens.tokenIdOf(second)];
    expect(one).not.toBe(two);
    expect(tokens.tokenIdOf('c'.repeat(43))).toBeUndefined();
    tokens.replace([second]);
    expect([tokens.tokenIdOf(first), tokens.tokenIdOf(second)]).toEqual([undefined, two]);
    expect(gone).toEqual([one]);
  });
});
