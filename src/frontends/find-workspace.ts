import { type Dirent, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { resultOrError } from '../core/runtime/result.ts';
import { isPathWithin } from '../platform/files/path-within.ts';
import { realFile } from '../platform/files/real-file.ts';

/** The chosen workspace of a process. */
interface WorkspaceChoice {
  /** Absolute paths of existing folders; empty if no workspace was found. */
  readonly roots: readonly string[];
  /** True if the client's MCP roots replace these later; false if the user or the client named these. */
  readonly fromClient: boolean;
  /** The rule that decided, for the log. */
  readonly why: string;
  /** Why the current folder is none, if that may surprise the user. */
  readonly refused?: string;
}

/** Inputs of the choice. */
export interface WorkspaceHints {
  /** Folders of `--workspace`. */
  readonly flags: readonly string[];
  /** True if these may be a whole disk or home directory. */
  readonly wide?: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
}

/**
 * Chooses the workspace: the flags, then the project folder from the client's environment, then the repository around
 * the current folder, then that folder itself, in which a client starts lspan. Never chooses a home directory or `/` by
 * itself, since it would watch all of it.
 */
export function findWorkspace(hints: WorkspaceHints): WorkspaceChoice {
  const { flags, cwd, home, wide = false } = hints;
  if (flags.length > 0) {
    const roots = [...new Set(flags.map((flag) => givenFolder(flag, cwd)))];
    const tooWide = wide ? undefined : roots.find((root) => isTooWide(root, home));
    if (tooWide !== undefined) throw tooWideError(tooWide);
    return { roots, fromClient: false, why: '--workspace' };
  }
  return fromEnvironment(hints) ?? fromMarkers(hints) ?? fromCurrent(hints) ?? noWorkspace;
}

const noWorkspace: WorkspaceChoice = {
  roots: [],
  fromClient: true,
  why: 'no --workspace, no project folder from the client, and the current folder is none of a project',
};

/**
 * Variables in which clients pass their project to a stdio server. Only documented ones: Cursor's undocumented
 * WORKSPACE_FOLDER_PATHS can name the folder of another window, while MCP roots name the right one.
 */
const clientVariables = [
  // https://code.claude.com/docs/en/mcp
  'CLAUDE_PROJECT_DIR',
];

/** Mark the root of a repository, which is preferred to a nearer project: there may be many inside. */
const repositoryMarkers = ['.git', '.hg', '.jj', '.svn'];

/** Mark a project outside a repository. */
const projectMarkers = [
  'lspan.toml',
  'lspan.json',
  '.lspan',
  'package.json',
  'tsconfig.json',
  'pyproject.toml',
  'setup.py',
  'go.mod',
  'go.work',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'CMakeLists.txt',
  'compile_commands.json',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'Package.swift',
  'deno.json',
];

function givenFolder(flag: string, cwd: string): string {
  const folder = path.resolve(cwd, flag);
  if (isFolder(folder)) return folder;
  const what = existsSync(folder) ? 'is not a folder' : 'does not exist or cannot be read';
  throw new LspanError('invalid_input', `The workspace ${folder} ${what}. Give an existing folder.`, {
    nextStep: 'Give --workspace an existing folder.',
  });
}

function tooWideError(folder: string): LspanError {
  const nextStep = 'Give --workspace the folder of a project, or add --wide-workspace.';
  return new LspanError(
    'invalid_input',
    `The workspace ${folder} is a whole disk or your home directory, which lspan would watch and index. ${nextStep}`,
    { nextStep },
  );
}

function fromEnvironment({ environment, home }: WorkspaceHints): WorkspaceChoice | undefined {
  for (const name of clientVariables) {
    const folder = environment[name];
    if (!folder || !path.isAbsolute(folder) || !isFolder(folder) || isTooWide(folder, home)) continue;
    return { roots: [folder], fromClient: false, why: name };
  }
  return undefined;
}

function fromMarkers({ cwd, home }: WorkspaceHints): WorkspaceChoice | undefined {
  const folders = foldersAbove(cwd, home);
  for (const markers of [repositoryMarkers, projectMarkers]) {
    for (const folder of folders) {
      const marker = markers.find((name) => existsSync(path.join(folder, name)));
      if (marker !== undefined) return { roots: [folder], fromClient: true, why: `${marker} in ${folder}` };
    }
  }
  return undefined;
}

/** A folder just below the root of the disk, or one that contains the home directory, is hardly anybody's project. */
function fromCurrent({ cwd, home }: WorkspaceHints): WorkspaceChoice | undefined {
  const folder = path.resolve(cwd);
  const isShallow = isTooWide(folder, home) || isTooWide(path.dirname(folder), '');
  if (isShallow || (home !== '' && isPathWithin(realPath(folder), realPath(home)))) return undefined;
  if (isTooFull(folder)) return { ...noWorkspace, why: tooFull(folder), refused: tooFull(folder) };
  return {
    roots: [folder],
    fromClient: true,
    why: `the current folder ${folder}, without a project around it`,
  };
}

function tooFull(folder: string): string {
  return `the current folder ${folder} has no project around it and very many files`;
}

/** True if a folder has too many entries to watch unasked; counts no further than that. */
function isTooFull(folder: string): boolean {
  const folders = [folder];
  let count = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const listed = entriesOf(next);
    count += listed.length;
    if (count > limits.plainFolderEntries) return true;
    for (const entry of listed) if (entry.isDirectory()) folders.push(path.join(next, entry.name));
  }
  return false;
}

function entriesOf(folder: string): readonly Dirent[] {
  const listed = resultOrError(() => readdirSync(folder, { withFileTypes: true }));
  return listed instanceof LspanError ? [] : listed;
}

/** Returns the current folder and those above it, up to but without the home directory or `/`. */
function foldersAbove(cwd: string, home: string): string[] {
  const folders: string[] = [];
  for (let folder = path.resolve(cwd); !isTooWide(folder, home); folder = path.dirname(folder))
    folders.push(folder);
  return folders;
}

/** True for a whole home directory or disk: too much to watch and index. */
export function isTooWide(folder: string, home: string): boolean {
  return path.dirname(folder) === folder || (home !== '' && realPath(folder) === realPath(home));
}

function isFolder(folder: string): boolean {
  return realFile(folder)?.stats.isDirectory() ?? false;
}

function realPath(folder: string): string {
  return realFile(folder)?.path ?? path.resolve(folder);
}

/**
 * Returns the folders of `--additional-root` as real paths. Refuses a missing folder, and one that contains a whole disk
 * or home directory, since that would open far more than intended.
 */
export function additionalRoots(
  given: readonly string[],
  { cwd, home }: { readonly cwd: string; readonly home: string },
): readonly string[] {
  return [...new Set(given.map((folder) => additionalRoot(path.resolve(cwd, folder), home)))];
}

function additionalRoot(folder: string, home: string): string {
  const found = realFile(folder);
  if (!found?.stats.isDirectory()) throw refused(folder, 'does not exist or is not a readable folder');
  const isDisk = path.dirname(found.path) === found.path;
  const realHome = home === '' ? undefined : (realFile(home)?.path ?? path.resolve(home));
  if (isDisk || (realHome !== undefined && isPathWithin(found.path, realHome)))
    throw refused(folder, 'contains a whole disk or your home directory');
  return found.path;
}

function refused(folder: string, why: string): LspanError {
  const nextStep = 'Give --additional-root an existing folder as small as possible.';
  return new LspanError('invalid_input', `The additional root ${folder} ${why}. ${nextStep}`, { nextStep });
}
