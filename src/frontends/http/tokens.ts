/** The bearer tokens that hold at present. */
export interface Tokens {
  /** Who presents this token, as a name that tells nothing of it; nobody where it does not hold. Takes the same time for every wrong one. */
  tokenIdOf(presented: string): string | undefined;
  /** Ends when it is sure that all who were just found hold still; nothing where it is. */
  confirmed(): Promise<void> | undefined;
  /** Called with a holder whose token has just ceased to hold. */
  onRevoked(listener: (tokenId: string) => void): () => void;
  close(): void;
}
