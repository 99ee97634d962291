import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The valid tokens, of which only hashes are kept in memory. */
export class KnownTokens {
  readonly #listeners = new Set<(tokenId: string) => void>();
  #entries: readonly Entry[] = [];

  /** Replaces the tokens; one that is still valid keeps its id. Returns how many were revoked. */
  replace(tokens: readonly string[]): number {
    const before = this.#entries;
    const same = (hash: Buffer) => (entry: Entry) => entry.hash.equals(hash);
    this.#entries = tokens
      .map(hashOf)
      .map((hash) => before.find(same(hash)) ?? { hash, tokenId: newTokenId() });
    const gone = before.filter((entry) => !this.#entries.includes(entry));
    for (const { tokenId } of gone) for (const listener of [...this.#listeners]) listener(tokenId);
    return gone.length;
  }

  tokenIdOf(presented: string): string | undefined {
    const hash = hashOf(presented);
    let tokenId: string | undefined;
    // The loop does not stop at a match: its duration must reveal nothing.
    for (const entry of this.#entries) if (timingSafeEqual(entry.hash, hash)) tokenId = entry.tokenId;
    return tokenId;
  }

  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#entries = [];
  }
}

interface Entry {
  readonly hash: Buffer;
  readonly tokenId: string;
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Random: reveals nothing about the token. */
function newTokenId(): string {
  return randomBytes(16).toString('base64url');
}
