import { createHash } from 'node:crypto';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Sighting } from '../../core/problem-delta.ts';
import { BoundedCache, SharedQuota } from '../../core/runtime/bounded-cache.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import { quotePath } from '../../core/wording/quote-path.ts';

/** The problems that an answer reported, to compare a later answer with. */
export interface ProblemSnapshot {
  /** The files whose problems were known for certain. */
  readonly covered: readonly string[];
  /** True if every other file is known to have had no problems. */
  readonly whole: boolean;
  readonly sightings: readonly Sighting[];
}

/** Keeps the latest snapshots of problems under tokens; the least recently used go first. */
export class ProblemSnapshots {
  readonly #kept: BoundedCache<ProblemSnapshot>;

  constructor(quota: SharedQuota = new SharedQuota(limits.problemSnapshots.bytes)) {
    this.#kept = new BoundedCache({ quota, count: limits.problemSnapshots.kept });
  }

  /** Returns a token, equal for equal content, or `undefined` if the snapshot is too large to keep. */
  async keep(snapshot: ProblemSnapshot): Promise<string | undefined> {
    const { sightings, ...head } = snapshot;
    if (sightings.length > limits.problemSnapshots.sightings) return undefined;
    const hash = createHash('sha256');
    let length = 0;
    const add = (content: string) => {
      hash.update(content);
      length += content.length;
    };
    // The JSON of many problems would take megabytes, so it is never built as one string.
    add(`${JSON.stringify(head).slice(0, -1)},"sightings":[`);
    let comma = '';
    await eachInSlices(sightings, (sighting) => {
      add(comma + JSON.stringify(sighting));
      comma = ',';
    });
    add(']}');
    if (length > limits.problemSnapshots.bytes) return undefined;
    const token = `d${hash.digest('hex').slice(0, 8)}`;
    this.#kept.set(token, snapshot, length);
    return token;
  }

  /** Returns the snapshot of a token. Throws an error with the next step if there is none. */
  find(token: string): ProblemSnapshot {
    const found = this.#kept.get(token);
    if (!found) throw noSnapshot(token);
    return found;
  }

  /** Forgets everything and keeps nothing more. */
  close(): void {
    this.#kept.close();
  }
}

function noSnapshot(token: string): LspanError {
  const nextStep = 'Call again without `since`, and pass the `since` of that answer next time.';
  return /^d[0-9a-f]{8}$/.test(token)
    ? new LspanError('cursor_expired', `${token} has expired.`, { nextStep })
    : new LspanError('cursor_invalid', `${quotePath(token)} is not a \`since\` of an earlier answer.`, {
        nextStep,
      });
}
