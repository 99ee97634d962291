import ignore, { type Ignore } from 'ignore';
import { limits } from '../../core/limits.ts';

/** Decides which paths of one root are ignored; a folder adds its own rules to those of the folders above. */
export interface IgnoreRules {
  /** Expects a path relative to the root, with `/`, that is not below an ignored folder. */
  ignores(inside: string, isFolder: boolean): boolean;
  /** Returns these rules and those of a folder's `.gitignore` text, which take precedence. */
  extend(folder: string, text: string): IgnoreRules;
}

/** Returns the rules above every `.gitignore`: folders that are always generated, and what the user excludes. */
export function createIgnoreRules(exclude: readonly string[] = []): IgnoreRules {
  return rulesOver(pathTest(createMatcher(exclude), exclude.length), [], createMatcher([]));
}

/** Folders that are generated wherever they are; no rule of a repository can include them. */
const generated: ReadonlySet<string> = new Set([
  ...['.git', '.hg', '.svn', '.jj', '.sl'],
  ...['node_modules', 'bower_components', '.pnpm-store', '.parcel-cache', '.turbo', '.nyc_output'],
  ...['__pycache__', '.venv', 'venv', '.tox', '.nox', '.eggs', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.cache', '.ccls-cache', '.gradle', '.terraform', '.direnv'],
]);

type PathTest = (asked: string) => boolean;

function rulesOver(byUser: PathTest, patterns: readonly string[], repository: Ignore): IgnoreRules {
  const byRepository = pathTest(repository, patterns.length);
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

/** The library caches every path that it was asked about, so a fresh copy replaces it from time to time. */
function pathTest(rules: Ignore, patterns: number): PathTest {
  if (patterns === 0) return () => false;
  let matcher = rules;
  let asked = 0;
  return (path) => {
    if (asked++ % limits.ignoreRules.asked === 0) matcher = createMatcher([rules]);
    return matcher.ignores(path);
  };
}

/** Rewrites the patterns of a `.gitignore` as if it were in the root: only so can a deeper file undo a higher one. */
function readPatterns(folder: string, text: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && isBounded(line))
    .map((line) => (folder === '' ? line : moveToRoot(folder, line)));
}

// Each `**` multiplies the ways in which a hostile pattern can be tried on a deep path.
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
