import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { AllowedFolders, LocatedPath } from './allowed-folders.ts';
import { attempt } from './attempt.ts';

/** The result of following a path. */
export type RealPath =
  | {
      readonly kind: 'found';
      readonly path: string;
      readonly standing: LocatedPath['standing'];
      readonly stats: Stats;
    }
  /** Everything up to the missing name is inside. */
  | { readonly kind: 'missing'; readonly path: string; readonly standing: LocatedPath['standing'] }
  | { readonly kind: 'unreadable' }
  /** A link leads out or in a circle; its target is not looked at. */
  | { readonly kind: 'outside' };

/** Follows links one at a time, and never looks outside, where `realpath` would already have asked a foreign disk. */
export function realPath(allowed: AllowedFolders, start: LocatedPath): RealPath {
  let at = start;
  for (let links = 0; links <= limits.path.links; links++) {
    const step = walk(at);
    if (step.kind !== 'link') return step.kind === 'found' ? canonical(allowed, step) : step;
    const next = allowed.locate(path.resolve(path.dirname(step.path), step.target, step.rest));
    if (!next) return { kind: 'outside' };
    at = next;
  }
  return { kind: 'outside' };
}

type Step =
  | RealPath
  | { readonly kind: 'link'; readonly path: string; readonly target: string; readonly rest: string };

/** Walks down to the end of the path or to the first link. */
function walk({ path: whole, base, standing }: LocatedPath): Step {
  const names = whole.slice(base.length).split(path.sep).filter(Boolean);
  let current = base;
  let stats = attempt(() => lstatSync(base));
  for (const [index, name] of names.entries()) {
    const next = path.join(current, name);
    stats = attempt(() => lstatSync(next));
    if (!stats.ok) return refused(stats.code, path.join(next, ...names.slice(index + 1)), standing);
    if (stats.value.isSymbolicLink()) return linkAt(next, names.slice(index + 1));
    current = next;
  }
  return stats.ok
    ? { kind: 'found', path: current, standing, stats: stats.value }
    : refused(stats.code, whole, standing);
}

function linkAt(link: string, rest: readonly string[]): Step {
  const target = attempt(() => readlinkSync(link));
  if (!target.ok) return { kind: 'unreadable' };
  return { kind: 'link', path: link, target: target.value, rest: rest.join(path.sep) };
}

function refused(code: string, missing: string, standing: LocatedPath['standing']): RealPath {
  const absent = code === 'ENOENT' || code === 'ENOTDIR';
  return absent ? { kind: 'missing', path: missing, standing } : { kind: 'unreadable' };
}

// Only the system knows how a name is spelled if letter case does not count.
function canonical(allowed: AllowedFolders, found: RealPath & { readonly kind: 'found' }): RealPath {
  if (process.platform === 'linux') return found;
  const real = attempt(() => realpathSync.native(found.path));
  if (!real.ok || !allowed.contains(real.value)) return { kind: 'outside' };
  return { ...found, path: real.value };
}
