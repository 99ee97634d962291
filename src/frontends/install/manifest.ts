import { LspanError } from '../../core/errors.ts';
import { object } from '../../core/runtime/json.ts';
import { bringHome, ownJson } from '../../platform/files/own-home.ts';

/** Packages that npm installs together, and their lock. */
export interface InstallUnit {
  /** The first package and its version: the name of its folder. */
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  /** The entries of a lock file, by place. */
  readonly packages: Readonly<Record<string, unknown>>;
}

/** Returns the unit of each server that npm can install, from the manifest that ships with lspan. */
export function installUnits(
  manifest: unknown = ownJson('dist/installable.json'),
): ReadonlyMap<string, InstallUnit> {
  const { servers, units } = object(manifest);
  const found = Object.entries(object(servers)).map(([server, name]): [string, InstallUnit] => {
    const { dependencies, packages } = object(object(units)[String(name)]);
    const versions = Object.entries(object(dependencies)).map(([each, version]) => [each, String(version)]);
    return [
      server,
      { name: String(name), dependencies: Object.fromEntries(versions), packages: object(packages) },
    ];
  });
  if (found.length > 0) return new Map(found);
  throw new LspanError('not_installed', `The list of what can be installed is missing. ${bringHome}`, {
    nextStep: bringHome,
  });
}
