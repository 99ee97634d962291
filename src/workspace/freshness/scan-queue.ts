import type { Folder } from './snapshot.ts';

/** How to list a folder again. */
export interface FolderListing {
  /** Also list all that is below. */
  readonly deep: boolean;
  /** Set a new watch, since the old one may belong to a folder that is gone. */
  readonly rewatch: boolean;
  /** Which entries found are not reported: none; extras, because their globs were added only now; all, at first. */
  readonly quiet: 'none' | 'extras' | 'all';
}

/** The names in folders that events were about; true if an entry came or went. */
export type Touched = Map<Folder, Map<string, boolean>>;

/** The work that is left; whatever a pass does not finish stays for the next one. */
export class ScanQueue {
  readonly touched: Touched = new Map();
  readonly listings = new Map<Folder, FolderListing>();
  /** Folders to compare by their signatures. */
  readonly checks = new Set<Folder>();

  touch(events: Touched): void {
    for (const [folder, names] of events) {
      const before = this.touched.get(folder);
      if (!before) this.touched.set(folder, names);
      else for (const [name, moved] of names) before.set(name, moved || before.get(name) === true);
    }
  }

  list(folder: Folder, listing: Partial<FolderListing> = {}): void {
    const wanted = { ...defaultListing, ...listing };
    const before = this.listings.get(folder);
    this.listings.set(folder, before ? merge(before, wanted) : wanted);
  }
}

/** The default: only the folder's own names, and everything found is reported. */
export const defaultListing: FolderListing = { deep: false, rewatch: false, quiet: 'none' };

/** Merges two listings: as thorough as either, as quiet as the less quiet one. */
function merge(a: FolderListing, b: FolderListing): FolderListing {
  const quiets = [a.quiet, b.quiet];
  const quiet = quiets.includes('none') ? 'none' : quiets.includes('extras') ? 'extras' : 'all';
  return { deep: a.deep || b.deep, rewatch: a.rewatch || b.rewatch, quiet };
}
