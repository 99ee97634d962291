/** Installs a package at one version unless it is there, and gives its folder. */
export function pinned(name: string, version: string): Promise<string>;

/** Where a package of that version is, or would be. */
export function pinnedFolder(name: string, version: string): string;
