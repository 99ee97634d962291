import path from 'node:path';
import { limits } from '../../core/limits.ts';
import type { AllowedFolders } from '../gate/allowed-folders.ts';
import { readInside } from '../gate/read-inside.ts';
import { signatureOf, statsOf } from '../gate/signature.ts';
import type { IgnoreRules } from './ignore-rules.ts';

/** Returns the rules of a folder: those from above, its repository's `info/exclude`, and its own `.gitignore`. */
export function readRepositoryRules(
  allowed: AllowedFolders,
  folder: { readonly path: string; readonly inside: string },
  names: { has(name: string): boolean },
  above: IgnoreRules,
): IgnoreRules {
  const excluded = names.has(gitName)
    ? readText(allowed, excludeFile(allowed, path.join(folder.path, gitName)))
    : undefined;
  const ignored = names.has(ruleFile) ? readText(allowed, path.join(folder.path, ruleFile)) : undefined;
  let rules = above;
  if (excluded !== undefined) rules = rules.extend(folder.inside, excluded);
  if (ignored !== undefined) rules = rules.extend(folder.inside, ignored);
  return rules;
}

/** Identifies one state of a folder's own rule files; empty if it has none. */
export function signatureOfRules(folder: string, names?: { has(name: string): boolean }): string {
  const files = [
    names?.has(ruleFile) === false ? [] : [ruleFile],
    names?.has(gitName) === false ? [] : [excludePath],
  ];
  return files
    .flat()
    .map((file) => statsOf(path.join(folder, file)))
    .map((stats) => stats && signatureOf(stats))
    .filter(Boolean)
    .join();
}

/** The name of what makes a folder a checkout: a folder, or a file in worktrees and submodules. */
export const gitName = '.git';

/** The name of the file that lists what is ignored in a folder. */
export const ruleFile = '.gitignore';

/** The path of a repository's own exclusions, which it does not share, relative to its folder. */
export const excludePath = '.git/info/exclude';

/** Finds a repository's own exclusions, also in worktrees and submodules; reads nothing outside the workspace. */
function excludeFile(allowed: AllowedFolders, git: string): string {
  if (statsOf(git)?.isDirectory()) return path.join(path.dirname(git), excludePath);
  const folder = resolvePointer(/^gitdir: (.+?)\s*$/m, readText(allowed, git), path.dirname(git)) ?? git;
  const common =
    resolvePointer(/^(.+?)\s*$/m, readText(allowed, path.join(folder, 'commondir')), folder) ?? folder;
  return path.join(common, 'info', 'exclude');
}

function resolvePointer(pattern: RegExp, text: string | undefined, from: string): string | undefined {
  const target = pattern.exec(text ?? '')?.[1];
  return target === undefined ? undefined : path.resolve(from, target);
}

function readText(allowed: AllowedFolders, file: string): string | undefined {
  const result = readInside(allowed, file, limits.ignoreRules.file);
  return result.kind === 'bytes' ? result.bytes.toString('utf8') : undefined;
}
