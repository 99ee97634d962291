// What `lspan install` installs: for each server that npm has, the packages and their lock, as it is in the tests.

/** The root of a lock file, which every other path is below. */
const top = 'node_modules/';

/**
 * Returns the units that can be installed, each with its lock, and the unit of each server.
 * @param {{ packages: Record<string, object> }} lock the lock of the repository
 * @param {Record<string, readonly string[]>} wanted the packages of each server
 */
export function installable(lock, wanted) {
  const units = {};
  const servers = {};
  for (const [server, names] of Object.entries(wanted)) {
    const known = names.filter((name) => lock.packages[top + name]);
    if (known.length < names.length) continue;
    const dependencies = Object.fromEntries(names.map((name) => [name, lock.packages[top + name].version]));
    const unit = Object.entries(dependencies).map(
      ([name, version]) => `${name.replace('/', '+')}@${version}`,
    )[0];
    const name = names.length === 1 ? unit : `${unit}+${names.length - 1}`;
    units[name] ??= { dependencies, packages: closure(lock, names) };
    servers[server] = name;
  }
  return { units, servers };
}

/** The entries of packages and of everything that they need, at the same places. */
function closure(lock, names) {
  const places = new Set(names.map((name) => top + name));
  for (const place of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      lock.packages[place];
    const isOptional = (name) => optionalDependencies?.[name] || peerDependenciesMeta?.[name]?.optional;
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      const found = resolve(lock, place, name);
      if (found) places.add(found);
      else if (!isOptional(name)) throw new Error(`${place} needs ${name}, which the lock file lacks.`);
    }
  }
  return Object.fromEntries([...places].sort().map((place) => [place, entry(lock.packages[place])]));
}

/** Looks for a package where Node would: below the one that needs it, then further up. */
function resolve(lock, place, name) {
  for (let at = place; ; at = at.slice(0, at.lastIndexOf(`/${top}`))) {
    if (lock.packages[`${at}/${top}${name}`]) return `${at}/${top}${name}`;
    if (!at.includes(`/${top}`)) return lock.packages[top + name] ? top + name : undefined;
  }
}

/** It was for development here. */
function entry({ dev, devOptional, ...rest }) {
  return devOptional || rest.optional ? { ...rest, optional: true } : rest;
}
