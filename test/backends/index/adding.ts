import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { importIndex } from '../../../src/backends/index/import/import-index.ts';
import type { IndexStore, StoredIndex } from '../../../src/backends/index/store/index-store.ts';
import { ByteReader } from '../../../src/platform/large-files/byte-reader.ts';
import { documentOf } from '../../../src/workspace/texts/document.ts';

/** How a test adds an index. */
interface Adding {
  readonly repository?: string;
  readonly commit?: string;
  /** The texts of the working tree, by path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly mustFit?: boolean;
  readonly keepsTexts?: boolean;
  readonly signal?: AbortSignal;
  readonly onDocument?: () => void;
}

/** Adds the bytes of an index to a store. */
export async function add(store: IndexStore, bytes: Buffer, adding: Adding = {}): Promise<StoredIndex> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lspan-scip-'));
  const name = path.join(folder, 'index.scip');
  writeFileSync(name, bytes);
  const file = new ByteReader(name);
  const { repository = 'here', commit = 'c0ffee0c0ffee', files = {}, onDocument = () => {} } = adding;
  try {
    return await importIndex(store, {
      ...{ file, repository, commit, signal: adding.signal },
      mustFit: adding.mustFit ?? false,
      keepsTexts: adding.keepsTexts ?? true,
      report: onDocument,
      read: (inside) => {
        const own = files[inside];
        return own === undefined ? undefined : documentOf(inside, own);
      },
    });
  } finally {
    file.close();
    rmSync(folder, { recursive: true });
  }
}
