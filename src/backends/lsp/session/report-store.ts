import { limits } from '../../../core/limits.ts';
import { BoundedCache } from '../../../core/runtime/bounded-cache.ts';
import { object, text } from '../../../core/runtime/json.ts';

/** The last report about one file, under the spelling of its URI that the server uses. */
interface Report {
  readonly uri: string | undefined;
  readonly resultId: string | undefined;
  readonly items: readonly unknown[];
}

/** Keeps the last report about each file that a server was asked for, since `unchanged` means that one. */
export class ReportStore {
  readonly #reports = new BoundedCache<Report>({ count: limits.diagnostics.files });

  get paths(): readonly string[] {
    return this.#reports.keys;
  }

  /** What the server is told that we have. */
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

  /** Takes a report and gives what it means now; `undefined` where it tells nothing. */
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
