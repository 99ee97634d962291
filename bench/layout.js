// How the modules of a generated project lie in their folders, in every language alike.

const modulesPerFolder = 25;

/** Modules that use the shared function: each imports it once and calls it twice. */
const userCount = 33;

/** The folder of a module. */
export function folderOf(index) {
  return `part-${String(Math.floor(index / modulesPerFolder)).padStart(3, '0')}`;
}

/** A module's number as its names carry it. */
export function numbered(index) {
  return String(index).padStart(4, '0');
}

/** Which modules use the shared function: as many in a large project as in a small one, spread evenly. */
export function users(size) {
  return new Set(Array.from({ length: userCount }, (_, user) => Math.floor((user * size) / userCount)));
}
