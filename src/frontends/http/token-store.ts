import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import { rootAround, stateFolder } from '../../config/state-folder.ts';
import { readTokenFile, tokenFileIn } from '../../config/tokens/token-file.ts';
import { ensureToken } from '../../config/tokens/write-tokens.ts';
import type { Environment } from '../../config/user-file.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Log } from '../../core/log.ts';
import { fileFacts } from '../../platform/files/file-facts.ts';
import { KnownTokens } from './known-tokens.ts';
import type { Tokens } from './request-rules.ts';

/** The dependencies of the token store. */
export interface TokenParts {
  readonly environment: Environment;
  /** Every folder whose content an agent may have written, as real paths. */
  readonly roots: readonly string[];
  readonly log: Log;
}

/** Opens the user's tokens; creates the first. Throws if their file or its location cannot be trusted. */
export function openTokenStore({ environment, roots, log }: TokenParts): TokenStore {
  const folder = stateFolder(environment);
  if (rootAround(folder, roots) !== undefined) throw insideWorkspace(folder);
  const file = tokenFileIn(folder);
  ensureToken(file);
  return new TokenStore(file, log);
}

/** The tokens in the token file. */
export class TokenStore implements Tokens {
  readonly file: string;
  readonly #log: Log;
  readonly #known = new KnownTokens();
  readonly #timer: NodeJS.Timeout;
  #watcher: FSWatcher | undefined;
  /** Identifies the watched folder. */
  #watched: string | undefined;
  /** The file's state when it was read; undefined while it may change without a visible difference. */
  #sight: string | undefined;
  /** The number of lookups in this turn of the event loop. */
  #asked = 0;
  #confirming: Promise<void> | undefined;
  /** The last fault that was logged. */
  #fault: string | undefined;
  #closed = false;

  constructor(file: string, log: Log) {
    this.file = file;
    this.#log = log;
    this.#look();
    // A watcher can stop silently, for example when its folder is replaced.
    this.#timer = setInterval(() => this.#look(), limits.http.tokenCheckEvery).unref();
  }

  tokenIdOf(presented: string): string | undefined {
    this.#lookOnceATurn();
    const tokenId = this.#known.tokenIdOf(presented);
    if (tokenId !== undefined || this.#asked === 1) return tokenId;
    // The token may have been created since the shared check.
    this.#look();
    return this.#known.tokenIdOf(presented);
  }

  /** A change after a shared check is seen at the end of the turn, and the tokens are revoked then. */
  confirmed(): Promise<void> | undefined {
    if (this.#asked < 2) return undefined;
    this.#confirming ??= new Promise((resolve) => setImmediate(resolve));
    return this.#confirming;
  }

  onRevoked(listener: (tokenId: string) => void): () => void {
    return this.#known.onRevoked(listener);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#watcher?.close();
    this.#known.close();
  }

  /** Requests that arrive together share one check of the file; one each is 1/12 of all work under load. */
  #lookOnceATurn(): void {
    this.#asked += 1;
    if (this.#asked > 1) return;
    setImmediate(() => {
      const isShared = this.#asked > 1;
      this.#asked = 0;
      this.#confirming = undefined;
      if (isShared) this.#look();
    });
    this.#look();
  }

  /** Reads the file again unless its state is unchanged. */
  #look(): void {
    if (this.#closed) return;
    const { folder, sight, isSettled } = sightOf(this.file);
    if (sight === this.#sight) return;
    if (folder !== this.#watched) this.#watch(folder);
    this.#sight = isSettled ? sight : undefined;
    const { tokens, fault } = readTokenFile(this.file);
    const missing = tokens.length === 0 ? goneFrom(this.file) : undefined;
    this.#tell(fault?.message ?? missing);
    const revoked = this.#known.replace(tokens);
    if (revoked > 0) this.#log('info', 'tokens_revoked', { revoked, left: tokens.length });
  }

  #tell(fault: string | undefined): void {
    if (fault !== undefined && fault !== this.#fault)
      this.#log('error', 'token_file_refused', { why: fault });
    if (fault === undefined && this.#fault !== undefined) this.#log('info', 'token_file_accepted');
    this.#fault = fault;
  }

  /** Watches for changes; if the system has no watcher left, the next request or timer finds them. */
  #watch(folder: string | undefined): void {
    this.#watcher?.close();
    this.#watcher =
      folder === undefined ? undefined : watchFolder(path.dirname(this.file), () => this.#look());
    this.#watched = folder;
  }
}

function sightOf(file: string): {
  readonly folder: string | undefined;
  readonly sight: string;
  readonly isSettled: boolean;
} {
  const around = fileFacts(path.dirname(file), { followLinks: true });
  const stats = fileFacts(file);
  const folder = around && `${around.dev} ${around.ino}`;
  const open = around && `${around.mode} ${around.uid}`;
  const held = stats && `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
  // The clock of a file system is coarse: a file can be written twice within one tick.
  const age = Date.now() - Number(stats?.ctimeMs ?? 0n);
  return { folder, sight: `${folder} ${open} ${held}`, isSettled: age > limits.http.tokenSettles };
}

function watchFolder(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}

function goneFrom(file: string): string {
  return `The token file ${file} is gone, so all requests are refused. Make a new one: lspan token rotate`;
}

function insideWorkspace(folder: string): LspanError {
  const nextStep = 'Set XDG_STATE_HOME to a folder elsewhere, or choose a smaller workspace.';
  const why = `The tokens would be kept in ${folder}, inside the workspace, which could then forge them.`;
  return new LspanError('refused', `${why} ${nextStep}`, { nextStep });
}
