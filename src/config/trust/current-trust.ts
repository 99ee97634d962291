import path from 'node:path';
import type { Log } from '../../core/log.ts';
import { type Fingerprint, type Trust, untrusted } from '../../core/trust.ts';
import { isPathWithin } from '../../platform/files/path-within.ts';
import { realFile } from '../../platform/files/real-file.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import { rootAround, stateFolder } from '../state-folder.ts';
import type { Environment } from '../user-file.ts';
import { checkTrust } from './check-trust.ts';
import { readTrustFile, type TrustReading, type TrustRecord, trustFileIn } from './trust-file.ts';

/** Dependencies of `CurrentTrust`. */
interface TrustOptions {
  readonly environment: Environment;
  /** Real paths. */
  readonly roots: readonly string[];
  readonly fingerprint: (root: string, globs: readonly string[]) => Fingerprint;
  /** Returns a predicate: does one of the globs match a path relative to the root? */
  readonly matching: (globs: readonly string[]) => (inside: string) => boolean;
  /** Returns whether two folders are worktrees of one repository. */
  readonly isSameRepository: (one: string, other: string) => boolean;
  readonly log: Log;
}

/** The trust that is in effect now: the trust file's, as long as the files that it is bound to are unchanged. */
export class CurrentTrust {
  readonly #options: TrustOptions;
  readonly #file: string | undefined;
  readonly #verdicts = new Map<string, Verdict>();
  #reading: TrustReading = { records: [] };
  #signature: string | undefined;

  constructor(options: TrustOptions) {
    this.#options = options;
    const folder = stateFolder(options.environment);
    const containing = rootAround(folder, options.roots);
    this.#file = containing === undefined ? trustFileIn(folder) : undefined;
    if (containing !== undefined) this.#reading = { records: [], wrong: insideWorkspace(folder) };
    this.#warn();
  }

  /** Reasons why the trust file is ignored. */
  get warnings(): readonly string[] {
    this.#reload();
    return this.#reading.wrong === undefined ? [] : [this.#reading.wrong];
  }

  /** Returns whether a server may run content of a root. */
  of(root: string, definition: ServerDefinition): Trust {
    if (!concernsTrust(definition)) return untrusted;
    this.#reload();
    const { records, wrong } = this.#reading;
    if (wrong !== undefined) return { granted: false, reason: wrong, brief: 'The trust file is ignored' };
    if (records.length === 0) return untrusted;
    const key = `${root}\0${definition.id}`;
    const known = this.#verdicts.get(key);
    if (known) return known.trust;
    const verdict = this.#judge(root, definition);
    this.#verdicts.set(key, verdict);
    if (!verdict.trust.granted && verdict.trust !== untrusted)
      this.#options.log('warn', 'trust_ended', { root, server: definition.id, reason: verdict.trust.reason });
    return verdict.trust;
  }

  /** Invalidates cached verdicts that depend on a changed file. */
  note(changes: readonly { readonly path: string }[]): void {
    for (const [key, verdict] of this.#verdicts)
      if (changes.some(({ path: changed }) => dependsOn(verdict, changed))) this.#verdicts.delete(key);
  }

  /** Like `of`, but reads the files again; for use right before something is run. */
  afresh(root: string, definition: ServerDefinition): Trust {
    this.#verdicts.delete(`${root}\0${definition.id}`);
    return this.of(root, definition);
  }

  /** Its own record decides; without one, the same content is trusted as in another worktree of the repository. */
  #judge(root: string, { id, trust: { boundTo = [] } = {} }: ServerDefinition): Verdict {
    const { records } = this.#reading;
    const own = records.find((one) => one.root === root);
    const others = own ? [] : records.filter((one) => this.#options.isSameRepository(root, one.root));
    if (!own && others.length === 0)
      return { root, trust: untrusted, places: new Set(), matches: () => false };
    const now = this.#options.fingerprint(root, boundTo);
    const trust = own ? checkTrust(own, id, now) : trustLikeOthers(others, id, now);
    return { root, trust, places: now.places, matches: this.#options.matching(boundTo) };
  }

  /** Another process may have granted or revoked trust meanwhile. */
  #reload(): void {
    if (this.#file === undefined) return;
    const stats = realFile(this.#file)?.stats;
    const signature = stats && `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`;
    if (signature === this.#signature) return;
    this.#signature = signature;
    this.#verdicts.clear();
    this.#reading = readTrustFile(this.#file);
    this.#warn();
  }

  #warn(): void {
    const { wrong } = this.#reading;
    if (wrong !== undefined) this.#options.log('warn', 'trust_ignored', { warning: wrong });
  }
}

/** True if the behaviour of the server depends on trust at all. */
export function concernsTrust({ trust }: ServerDefinition): boolean {
  return trust?.runs !== undefined || trust?.boundTo !== undefined;
}

interface Verdict {
  readonly root: string;
  readonly trust: Trust;
  readonly places: ReadonlySet<string>;
  readonly matches: (inside: string) => boolean;
}

function dependsOn({ root, places, matches }: Verdict, changed: string): boolean {
  if (places.has(changed)) return true;
  if (!isPathWithin(root, changed) || changed === root) return false;
  return matches(path.relative(root, changed).replaceAll(path.sep, '/'));
}

/** The trust of a worktree without a record: that of another one of its repository, if its files are the same. */
function trustLikeOthers(others: readonly TrustRecord[], server: string, now: Fingerprint): Trust {
  const verdicts = others.map((record) => checkTrust(record, server, now));
  const [first = untrusted] = verdicts;
  const reason = `Another worktree of this repository is trusted, but this one differs: ${first.brief ?? first.reason}.`;
  return verdicts.find(({ granted }) => granted) ?? { ...first, reason };
}

function insideWorkspace(folder: string): string {
  return `Nothing is trusted, because ${folder} is in the workspace, which could then grant itself trust.`;
}
