import { execFile } from 'node:child_process';
import { existsSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPathWithin } from '../files/path-within.ts';
import { makePrivateFolder } from '../files/private-folder.ts';
import { realFile } from '../files/real-file.ts';
import type { Command } from '../processes/process-tree.ts';
import { type HomeView, viewHome } from './home-view.ts';
import type { Sandbox, SandboxRules } from './sandbox.ts';

/** Returns the sandbox of Linux, if its program is installed. https://github.com/containers/bubblewrap */
export function openBubblewrap(programFolders: readonly string[]): Sandbox | string {
  const file = programFolders.map((folder) => path.join(folder, 'bwrap')).find((each) => existsSync(each));
  if (file === undefined) return 'bubblewrap is not installed';
  return {
    ownProcessNumbers: true,
    signalsAsCodes: true,
    confine: (command, rules) => confine(file, command, rules),
    fault: () => tryOut(file),
  };
}

/**
 * Every namespace but that of mounts, which is implied. A program that gains no privileges, and ends with its parent:
 * the kernel then ends every process of its namespace. It stays in the process group, which signals reach.
 */
const isolation: readonly string[] = [
  ...[
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-net',
    '--unshare-uts',
    '--unshare-cgroup-try',
  ],
  ...['--cap-drop', 'ALL', '--die-with-parent'],
  ...['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'],
];

/** Folders of the system with sockets and temporary files of other programs. */
const shared: readonly string[] = ['/tmp', '/var/tmp', '/run'];

/** Parts of those that programs are run from. */
const systemReads: readonly string[] = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

/** Runs the sandbox's own program in it: no other is known to exist. Its message says what the system forbids. */
function tryOut(file: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const args = [...isolation, '--tmpfs', '/run', '--remount-ro', '/run', file, '--version'];
    execFile(file, args, { cwd: '/', env: {}, timeout: limits.sandbox.tryOut }, (error, _stdout, stderr) => {
      const said = stderr.trim().split('\n').at(-1)?.slice(0, limits.sandbox.reason);
      resolve(error ? `this system does not allow it (${said || error.message})` : undefined);
    });
  });
}

function confine(file: string, command: Command, rules: SandboxRules): Command {
  const args = [...isolation, ...mounts(rules), '--chdir', command.cwd, command.file, ...command.args];
  return { ...command, file, args };
}

/** In order, as later mounts cover earlier ones. Each one costs time: none repeats what another shows. */
function mounts(rules: SandboxRules): readonly string[] {
  const { reads, writes, scratch } = rules;
  const home = realFile(rules.home)?.path;
  const view = home === undefined ? noHome : viewHome(home);
  const covered = coveredFolders(home);
  const isCovered = (file: string) => isWithinAny([...covered, '/dev/shm'], file);
  const given = [...new Set([...reads, ...systemReads])]
    .flatMap((each) => readable(each, home))
    .filter(isCovered);
  const entries = view.open.map(({ name }) => path.join(home ?? '/', name));
  const wanted = outermost([...view.tools, ...given]).filter((each) => !isWithinAny(entries, each));
  const isShown = (file: string) => !isCovered(file) || isWithinAny([...entries, ...wanted], file);
  const folders = covered.filter((folder) => folder !== home && folder !== '/tmp');
  return [
    ...folders.flatMap((folder) => ['--tmpfs', folder]),
    ...['--bind', part(scratch, 'tmp'), '/tmp', '--bind', part(scratch, 'shm'), '/dev/shm'],
    ...(home === undefined ? [] : ['--bind', part(scratch, 'home'), home]),
    ...view.open.flatMap((entry) => entryMount(path.join(home ?? '/', entry.name), entry.isSymbolicLink())),
    ...wanted.flatMap((each) => ['--ro-bind-try', each, each]),
    ...secretsOf(rules, view.secrets).filter(isShown).flatMap(hide),
    ...outermost([...writes, scratch]).flatMap((each) => ['--bind', each, each]),
    ...[...folders, '/dev'].flatMap((folder) => ['--remount-ro', folder]),
  ];
}

const noHome: HomeView = { open: [], tools: [], secrets: [] };

/** Returns every path once, without those that another one contains. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)];
  return all.filter((file) => !all.some((each) => each !== file && isPathWithin(each, file)));
}

function isWithinAny(folders: readonly string[], file: string): boolean {
  return folders.some((folder) => isPathWithin(folder, file));
}

/** Returns what is to be hidden, unless the user has opened a folder in it as a workspace. */
function secretsOf({ reads, writes, hides }: SandboxRules, secrets: readonly string[]): readonly string[] {
  const opened = [...reads, ...writes];
  return [...secrets, ...hides].filter((secret) => !opened.some((each) => isPathWithin(secret, each)));
}

/** Returns the folders whose content is replaced: none within another, and the home last. */
function coveredFolders(home: string | undefined): readonly string[] {
  const all = [...shared, tmpdir()].flatMap((folder) => realFile(folder)?.path ?? []);
  const outer = [...new Set(all)].filter(
    (folder) =>
      ![...all, home].some((each) => each !== undefined && each !== folder && isPathWithin(each, folder)),
  );
  return [...new Set([...outer, ...(home === undefined ? [] : [home])])];
}

/** Never the home itself or what contains it, which would bring everything back. */
function readable(given: string, home: string | undefined): readonly string[] {
  const real = realFile(given)?.path;
  if (real === undefined) return [];
  const folder = path.dirname(given);
  // Behind a link, the place is shown under its own name too, if its folder is no link itself.
  const names = real !== given && realFile(folder)?.path === folder ? [real, given] : [real];
  return names.filter((each) => home === undefined || !isPathWithin(each, home));
}

function entryMount(file: string, isLink: boolean): readonly string[] {
  return isLink ? ['--symlink', readlinkSync(file), file] : ['--ro-bind-try', file, file];
}

function hide(file: string): readonly string[] {
  const found = realFile(file);
  if (found === undefined) return [];
  return found.stats.isDirectory()
    ? ['--tmpfs', found.path, '--remount-ro', found.path]
    : ['--ro-bind', '/dev/null', found.path];
}

function part(scratch: string, name: string): string {
  const folder = path.join(scratch, name);
  makePrivateFolder(folder);
  return folder;
}
