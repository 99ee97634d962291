import ignore, { type Ignore } from 'ignore';
import { limits } from '../../core/limits.ts';

/** Says which paths of one root are ignored; a folder adds its own rules to those of the folders above. */
export interface IgnoreRules {
  /** The path is relative to the root, with `/`. What an ignored folder holds is never asked about. */
  ignores(inside: string, isFolder: boolean): boolean;
  /** These rules and those of a `.gitignore` text found in a folder, which count more. */
  extend(folder: string, text: string): IgnoreRules;
}

/** The rules above every `.gitignore`: what is always generated, and what the user excludes. */
export function createIgnoreRules(exclude: readonly string[] = []): IgnoreRules {
  return rulesOver(asker(createMatcher(exclude), exclude.length), [], createMatcher([]));
}

/** Folders that are generated wherever they stand, and that no rule of a repository can bring back. */
const generated: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', '.jj', '.sl'],
  ...['node_modules', 'bower_components', '.pnpm-store', '.parcel-cache', '.turbo', '.nyc_output'],
  ...['__pycache__', '.venv', 'venv', '.tox', '.nox', '.eggs', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.cache', '.ccls-cache', '.gradle', '.terraform', '.direnv'],
]);

type Asker = (asked: string) => boolean;

function rulesOver(byUser: Asker, patterns: readonly string[], repository: Ignore): IgnoreRules {
  const byRepository = asker(repository, patterns.length);
  return {
    ignores(inside, isFolder) {
      const name = inside.slice(inside.lastIndexOf('/') + 1);
      // In worktrees and submodules `.git` is a file.
      if (name === '.git' || (isFolder && generated.has(name))) return true;
      const asked = isFolder ? `${inside}/` : inside;
      return byUser(asked) || byRepository(asked);
    },
    extend(folder, text) {
      const own = readPatterns(folder, text).slice(0, limits.ignoreRules.patterns - patterns.length);
      return rulesOver(byUser, [...patterns, ...own], createMatcher([repository, ...own]));
    },
  };
}

function createMatcher(patterns: readonly (string | Ignore)[]): Ignore {
  return ignore({ ignorecase: process.platform !== 'linux' }).add(patterns);
}

/** The library remembers every path that it was asked about, so a fresh copy takes over from time to time. */
function asker(rules: Ignore, patterns: number): Asker {
  if (patterns === 0) return () => false;
  let matcher = rules;
  let asked = 0;
  return (path) => {
    if (asked++ % limits.ignoreRules.asked === 0) matcher = createMatcher([rules]);
    return matcher.ignores(path);
  };
}

/** The patterns of a `.gitignore`, rewritten as if they stood in the root: only so can a deeper file undo a higher one. */
function readPatterns(folder: string, text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && isBounded(line))
    .map((line) => (folder === '' ? line : moveToRoot(folder, line)));
}

// Each `**` multiplies the ways in which a hostile pattern can be tried against a deep path.
function isBounded(line: string): boolean {
  return line.length <= limits.path.length && line.split('**').length - 1 <= limits.ignoreRules.globstars;
}

function moveToRoot(folder: string, line: string): string {
  const negative = line.startsWith('!');
  const pattern = negative ? line.slice(1) : line;
  const anchored = /\/(?!\s*$)/.test(pattern);
  const literal = folder.replace(/[\\*?[\]]/g, '\\$&');
  return `${negative ? '!' : ''}/${literal}/${anchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`;
}
