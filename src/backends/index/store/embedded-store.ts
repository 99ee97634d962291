import { randomInt, randomUUID } from 'node:crypto';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { PublishedFiles } from '../../../platform/large-files/published-files.ts';
import {
  type IndexStore,
  type IndexWriter,
  isReplacedBy,
  type Posting,
  type StoredDocument,
  type StoredIndex,
  type StoredSymbol,
  type SymbolKey,
} from './index-store.ts';
import { mergeSegments } from './merge-segments.ts';
import { Segment } from './segment.ts';
import { type ListedIndex, readSegmentList, writeSegmentList } from './segment-list.ts';
import { SegmentWriter } from './segment-writer.ts';
import { loadSqlite, type OpenDatabase } from './sqlite.ts';

/** Opens the store in a folder, which need not exist. */
export async function openEmbeddedStore(folder: string): Promise<IndexStore> {
  return new EmbeddedStore(new PublishedFiles(folder), await loadSqlite());
}

/**
 * Indexes in files on this machine. Each import makes a new file; a few small ones become a large one. A reader locks
 * nothing, and sees an import when the list names it.
 */
class EmbeddedStore implements IndexStore {
  readonly #files: PublishedFiles;
  readonly #open: OpenDatabase;
  readonly #segments = new Map<string, Segment>();
  #signature: string | undefined;
  #listed: readonly ListedIndex[] = [];
  #listSignature: string | undefined;
  #indexes: ReadonlyMap<number, ListedIndex> = new Map();

  constructor(files: PublishedFiles, open: OpenDatabase) {
    this.#files = files;
    this.#open = open;
  }

  get place(): string {
    return this.#files.folder;
  }

  async list(): Promise<readonly StoredIndex[]> {
    if (this.#files.signature() !== this.#listSignature) this.#readList();
    return [...this.#listed].toSorted((a, b) => (a.repository < b.repository ? -1 : 1));
  }

  async write({ repository, commit }: Pick<StoredIndex, 'repository' | 'commit'>): Promise<IndexWriter> {
    const draft = this.#files.draft();
    const id = randomInt(2 ** 48 - 1);
    const writer = new SegmentWriter(draft, id, this.#open);
    return {
      addDocument: async (document) => writer.addDocument(document),
      addSymbols: async (symbols) => writer.addSymbols(symbols),
      discard: async () => {
        writer.discard();
        this.#files.discard(draft);
      },
      publish: async (facts) => {
        writer.end();
        const time = new Date().toISOString();
        const segment = `${randomUUID()}.sqlite`;
        const added: ListedIndex = { id, repository, commit, time, ...facts, segment };
        await this.#change((before) => [...before.filter((one) => !isReplacedBy(one, added)), added], {
          draft,
          name: segment,
        });
        await this.#merge();
        return added;
      },
    };
  }

  async remove(repository: string): Promise<number> {
    let removed = 0;
    await this.#change((before) => {
      const kept = before.filter((one) => one.repository !== repository);
      removed = before.length - kept.length;
      return kept;
    });
    return removed;
  }

  async postings(keys: readonly SymbolKey[], most: number): Promise<readonly Posting[]> {
    const found: Posting[] = [];
    for (const segment of this.#current())
      for (const key of keys)
        for (const posting of segment.postings(key)) {
          if (found.length >= most) return found;
          const document = this.#indexes.has(posting.source) && segment.document(posting.document);
          if (document) found.push({ key, document, occurrences: posting.occurrences });
        }
    return found;
  }

  async symbols(keys: readonly SymbolKey[]): Promise<readonly StoredSymbol[]> {
    const found = this.#current().flatMap((segment) => keys.flatMap((key) => segment.symbols(key)));
    return found.filter(({ index }) => this.#indexes.has(index));
  }

  async named(start: string, most: number): Promise<readonly StoredSymbol[]> {
    const found = this.#current().flatMap((segment) => segment.named(start, most));
    return found.filter(({ index }) => this.#indexes.has(index)).slice(0, most);
  }

  async implementers(keys: readonly SymbolKey[]): Promise<readonly SymbolKey[]> {
    const found = this.#current().flatMap((segment) => keys.flatMap((key) => segment.implementers(key)));
    return [...new Set(found.filter(({ source }) => this.#indexes.has(source)).map(({ key }) => key))];
  }

  async document(index: number, path: string): Promise<StoredDocument | undefined> {
    return this.#segmentOf(index)?.documentAt(index, path);
  }

  async documents(index: number): Promise<readonly StoredDocument[]> {
    return this.#segmentOf(index)?.documents(index) ?? [];
  }

  async content({ index, id }: StoredDocument) {
    return this.#segmentOf(index)?.content(id);
  }

  async verify(): Promise<readonly string[]> {
    const names = [...new Set(readSegmentList(this.#files.list()).map(({ segment }) => segment))];
    return names.flatMap((name) => {
      if (this.#files.sizeOf(name) === 0) return [`${name} is missing.`];
      const segment = resultOrError(() => Segment.open(this.#files, name, this.#open));
      if (segment instanceof LspanError) return [segment.message];
      const faults = segment.faults();
      segment.close();
      return faults.map((fault) => `${name}: ${fault}`);
    });
  }

  async close(): Promise<void> {
    for (const segment of this.#segments.values()) segment.close();
    this.#segments.clear();
    this.#signature = undefined;
  }

  /** Changes the list; removes the segments of which nothing counts any more. */
  async #change(
    edit: (before: readonly ListedIndex[]) => readonly ListedIndex[],
    ...publish: readonly { readonly draft: string; readonly name: string }[]
  ): Promise<void> {
    await this.#files.change((text) => {
      const before = readSegmentList(text);
      const after = edit(before);
      const used = new Set(after.map(({ segment }) => segment));
      const unused = publish.map(({ name }) => name).concat(before.map(({ segment }) => segment));
      return {
        text: writeSegmentList(after),
        publish,
        remove: [...new Set(unused)].filter((name) => !used.has(name)),
      };
    });
  }

  /** Returns the segments that the list names now. */
  #current(): readonly Segment[] {
    let signature = this.#files.signature();
    while (signature !== this.#signature || signature === undefined) {
      const opened = resultOrError(() => this.#openListed());
      const now = this.#files.signature();
      // What the list named may have been merged and removed meanwhile.
      if (opened instanceof LspanError && now === signature) throw opened.cause ?? opened;
      if (!(opened instanceof LspanError)) this.#signature = signature;
      if (now === undefined) break;
      signature = now;
    }
    return [...this.#segments.values()];
  }

  #readList(): readonly ListedIndex[] {
    // Taken first: a change meanwhile is found by the next look.
    this.#listSignature = this.#files.signature();
    this.#listed = readSegmentList(this.#files.list());
    return this.#listed;
  }

  /** Opens what the list names, and closes what it does not. */
  #openListed(): void {
    const listed = this.#readList();
    const names = new Set(listed.map(({ segment }) => segment));
    for (const [name, segment] of this.#segments) {
      if (names.has(name)) continue;
      segment.close();
      this.#segments.delete(name);
    }
    for (const name of names)
      if (!this.#segments.has(name)) this.#segments.set(name, Segment.open(this.#files, name, this.#open));
    this.#indexes = new Map(listed.map((one) => [one.id, one]));
  }

  #segmentOf(index: number): Segment | undefined {
    this.#current();
    return this.#segments.get(this.#indexes.get(index)?.segment ?? '');
  }

  /** Makes one segment of the small ones, so that a question looks into few; what was replaced meanwhile stays out. */
  async #merge(): Promise<void> {
    const listed = readSegmentList(this.#files.list());
    const names = [...new Set(listed.map(({ segment }) => segment))];
    if (names.length <= limits.index.segments) return;
    const bySize = names.toSorted((a, b) => this.#files.sizeOf(a) - this.#files.sizeOf(b));
    const merged = new Set(chosenForMerge(bySize, (name) => this.#files.sizeOf(name)));
    const moved = listed.filter(({ segment }) => merged.has(segment));
    const draft = this.#files.draft();
    mergeSegments(this.#files, { draft, names: [...merged], sources: moved.map(({ id }) => id) }, this.#open);
    const name = `${randomUUID()}.sqlite`;
    const ids = new Set(moved.map(({ id }) => id));
    const isMoved = ({ id, segment }: ListedIndex) => ids.has(id) && merged.has(segment);
    await this.#change((before) => before.map((one) => (isMoved(one) ? { ...one, segment: name } : one)), {
      draft,
      name,
    });
  }
}

/** Returns the smallest two, and each next one that is not larger than all before it together. */
function chosenForMerge(bySize: readonly string[], sizeOf: (name: string) => number): readonly string[] {
  let sum = 0;
  const chosen: string[] = [];
  for (const name of bySize) {
    if (chosen.length >= limits.index.attached) break;
    if (chosen.length >= 2 && sizeOf(name) > sum) break;
    chosen.push(name);
    sum += sizeOf(name);
  }
  return chosen;
}
