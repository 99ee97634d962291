import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import { object, text } from '../../../core/runtime/json.ts';

/** The last report about one file, with its URI as the server spells it. */
interface Report {
  readonly uri: string | undefined;
  readonly resultId: string | undefined;
  readonly items: readonly unknown[];
}

/** Keeps the last report about each file, because a report `unchanged` refers to it. */
export class ReportStore {
  readonly #reports = new BoundedCache<Report>({ count: limits.diagnostics.files });

  get paths(): readonly string[] {
    return this.#reports.keys;
  }

  /** The previous result ids to send to the server. */
  get resultIds(): readonly { readonly uri: string; readonly value: string }[] {
    return [...this.#reports].flatMap(([, { uri, resultId }]) =>
      uri === undefined || resultId === undefined ? [] : [{ uri, value: resultId }],
    );
  }

  has(path: string): boolean {
    return this.#reports.has(path);
  }

  resultId(path: string): string | undefined {
    return this.#reports.peek(path)?.resultId;
  }

  items(path: string): readonly unknown[] | undefined {
    return this.#reports.peek(path)?.items;
  }

  /** Stores a report and returns its current items; `undefined` if it has none. */
  take(path: string, report: unknown): readonly unknown[] | undefined {
    const { kind, items, resultId, uri } = object(report);
    const present = kind === 'unchanged' ? this.items(path) : items;
    if (!Array.isArray(present)) return undefined;
    this.#reports.set(path, { uri: text(uri), resultId: text(resultId), items: present });
    return present;
  }

  forget(path: string): void {
    this.#reports.delete(path);
  }
}
