import { basename, dirname, sep } from 'node:path';
import type { Sighting } from '../../core/problem-delta.ts';
import { eachInSlices } from '../../core/runtime/slices.ts';
import { isPython } from '../../source-text/imports.ts';
import type { ToolContext } from '../run/tool.ts';

/**
 * Returns the packages whose absence problems report, the most frequent first: in a fresh clone, most problems come from
 * that. In Python, what has the name of a module or package of the workspace is not found for another reason.
 */
export async function missingPackages(
  { workspace }: ToolContext,
  sightings: readonly Sighting[],
): Promise<readonly string[]> {
  const [counts, inPython] = [new Map<string, number>(), new Set<string>()];
  await eachInSlices(sightings, ({ path, problem: { missingPackage: name } }) => {
    if (name === undefined) return;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (isPython(path)) inPython.add(name);
  });
  if (inPython.size > 0)
    await eachInSlices([...workspace.files()].filter(isPython), (path) => {
      for (const name of [basename(path).replace(/\.pyi?$/, ''), ...dirname(path).split(sep)])
        if (inPython.has(name)) counts.delete(name);
    });
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
