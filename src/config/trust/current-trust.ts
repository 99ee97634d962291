import path from 'node:path';
import type { Log } from '../../core/log.ts';
import { type Fingerprint, type Trust, untrusted } from '../../core/trust.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { realFile } from '../../platform/files/real-file.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { rootAround, stateFolder } from '../state-folder.ts';
import type { Environment } from '../user-file.ts';
import { checkTrust } from './check-trust.ts';
import { readTrustFile, type TrustReading, trustFileIn } from './trust-file.ts';

/** What the standing trust needs of the world. */
export interface TrustParts {
  readonly environment: Environment;
  /** Real paths. */
  readonly roots: readonly string[];
  readonly fingerprint: (root: string, globs: readonly string[]) => Fingerprint;
  /** Whether a path relative to a root is named by one of these globs. */
  readonly matching: (globs: readonly string[]) => (inside: string) => boolean;
  readonly log: Log;
}

/** What the user's trust amounts to now: as the trust file says, and as long as the files are what they were. */
export class CurrentTrust {
  readonly #parts: TrustParts;
  readonly #file: string | undefined;
  readonly #judged = new Map<string, Judged>();
  #reading: TrustReading = { records: [] };
  #signature: string | undefined;

  constructor(parts: TrustParts) {
    this.#parts = parts;
    const folder = stateFolder(parts.environment);
    const around = rootAround(folder, parts.roots);
    this.#file = around === undefined ? trustFileIn(folder) : undefined;
    if (around !== undefined) this.#reading = { records: [], wrong: insideWorkspace(folder) };
    this.#warn();
  }

  /** Why nothing is trusted though the user may think so. */
  get warnings(): readonly string[] {
    this.#readAgain();
    return this.#reading.wrong === undefined ? [] : [this.#reading.wrong];
  }

  /** Whether a server may run what a root holds. */
  of(root: string, definition: ServerDefinition): Trust {
    if (!concernsTrust(definition)) return untrusted;
    this.#readAgain();
    const { records, wrong } = this.#reading;
    if (wrong !== undefined) return { granted: false, reason: wrong };
    const record = records.find((one) => one.root === root);
    if (!record) return untrusted;
    const key = `${root}\0${definition.id}`;
    const known = this.#judged.get(key);
    if (known) return known.trust;
    const now = this.#parts.fingerprint(root, definition.trust?.boundTo ?? []);
    const trust = checkTrust(record, definition.id, now);
    const matches = this.#parts.matching(definition.trust?.boundTo ?? []);
    this.#judged.set(key, { root, trust, places: now.places, matches });
    if (!trust.granted)
      this.#parts.log('warn', 'trust_ended', { root, server: definition.id, reason: trust.reason });
    return trust;
  }

  /** Takes note of changes on the disk: what is bound to a changed file is judged anew. */
  note(changes: readonly { readonly path: string }[]): void {
    for (const [key, judged] of this.#judged)
      if (changes.some(({ path: changed }) => concerns(judged, changed))) this.#judged.delete(key);
  }

  /** The same, with the files read once more: for the moment before something is run. */
  afresh(root: string, definition: ServerDefinition): Trust {
    this.#judged.delete(`${root}\0${definition.id}`);
    return this.of(root, definition);
  }

  /** Another process may have granted or revoked something meanwhile. */
  #readAgain(): void {
    if (this.#file === undefined) return;
    const stats = realFile(this.#file)?.stats;
    const signature = stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    if (signature === this.#signature) return;
    this.#signature = signature;
    this.#judged.clear();
    this.#reading = readTrustFile(this.#file);
    this.#warn();
  }

  #warn(): void {
    const { wrong } = this.#reading;
    if (wrong !== undefined) this.#parts.log('warn', 'trust_ignored', { warning: wrong });
  }
}

/** Whether what a server does depends on trust at all. */
export function concernsTrust({ trust }: ServerDefinition): boolean {
  return trust?.runs !== undefined || trust?.boundTo !== undefined;
}

interface Judged {
  readonly root: string;
  readonly trust: Trust;
  readonly places: ReadonlySet<string>;
  readonly matches: (inside: string) => boolean;
}

function concerns({ root, places, matches }: Judged, changed: string): boolean {
  if (places.has(changed)) return true;
  if (!isPathWithin(root, changed) || changed === root) return false;
  return matches(path.relative(root, changed).replaceAll(path.sep, '/'));
}

function insideWorkspace(folder: string): string {
  return `Nothing is trusted, because ${folder} lies in the workspace, whose own content could then say what is trusted.`;
}
