import type { ServerDefinition } from './definition.ts';
import { servers } from './index.ts';

/** The npm packages of each server that npm can install, what they need beside them included. */
export const npmPackages: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  servers.map((server) => [server.id, packagesOf(server)] as const).filter(([, names]) => names.length > 0),
);

function packagesOf({ program }: ServerDefinition): readonly string[] {
  const own = program.sources.flatMap((source) =>
    source.kind === 'package' && !source.ships ? [source.via ?? source.name] : [],
  );
  return own.length === 0 ? [] : [...new Set([...own, ...(program.needsPackages ?? [])])];
}
