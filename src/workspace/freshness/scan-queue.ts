import type { Folder } from './snapshot.ts';

/** How a folder is listed again. */
export interface FolderListing {
  /** With all that is below. */
  readonly deep: boolean;
  /** With a new watch, since the old one may belong to a folder that is gone. */
  readonly rewatch: boolean;
  /** Which findings are no news: none; extras, because they were asked for only now; all, at the beginning. */
  readonly quiet: 'none' | 'extras' | 'all';
}

/** The names in folders about which something was heard; true where an entry came or went. */
export type Touched = Map<Folder, Map<string, boolean>>;

/** What has to be looked at; whatever a pass does not finish stays for the next one. */
export class ScanQueue {
  readonly touched: Touched = new Map();
  readonly listings = new Map<Folder, FolderListing>();
  /** Folders to compare by their signatures. */
  readonly checks = new Set<Folder>();

  touch(heard: Touched): void {
    for (const [folder, names] of heard) {
      const before = this.touched.get(folder);
      if (!before) this.touched.set(folder, names);
      else for (const [name, moved] of names) before.set(name, moved || before.get(name) === true);
    }
  }

  list(folder: Folder, listing: Partial<FolderListing> = {}): void {
    const wanted = { ...plainly, ...listing };
    const before = this.listings.get(folder);
    this.listings.set(folder, before ? both(before, wanted) : wanted);
  }
}

/** Just its own names, and everything found is news. */
export const plainly: FolderListing = { deep: false, rewatch: false, quiet: 'none' };

/** The listing that serves two wishes: as thorough as either, as quiet as the louder. */
function both(a: FolderListing, b: FolderListing): FolderListing {
  const louder = [a.quiet, b.quiet];
  const quiet = louder.includes('none') ? 'none' : louder.includes('extras') ? 'extras' : 'all';
  return { deep: a.deep || b.deep, rewatch: a.rewatch || b.rewatch, quiet };
}
