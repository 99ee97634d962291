/** The bearer tokens that are valid at present. */
export interface Tokens {
  /** Returns the id of a valid token, which reveals nothing about it. All invalid ones take the same time. */
  tokenIdOf(presented: string): string | undefined;
  /** Resolves once all tokens found in this turn are known to be still valid; undefined if they are. */
  confirmed(): Promise<void> | undefined;
  /** Calls the listener with the id of each token that is revoked; returns a function that removes it. */
  onRevoked(listener: (tokenId: string) => void): () => void;
  close(): void;
}
