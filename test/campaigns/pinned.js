// Programs of others that campaigns run, at exact versions, in a folder of their own outside of the tree.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Where campaigns keep what they fetch. */
export const cache = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'),
  'lspan-campaigns',
);
mkdirSync(cache, { recursive: true });

/**
 * Installs a package at one version unless it is there, and gives its folder. Nothing of it is run: what it would do
 * after its installation is left out.
 */
export async function pinned(name, version) {
  const folder = path.join(cache, `${name.replace('/', '+')}@${version}`);
  const found = pinnedFolder(name, version);
  if (existsSync(found)) return found;
  // Made beside and moved when whole: an installation that breaks off is none.
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(path.join(made, 'package.json'), '{ "private": true }\n');
  console.log(`installing ${name}@${version} into ${folder}`);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', '--loglevel=error'];
  await run('npm', ['install', ...options, `${name}@${version}`], { cwd: made });
  rmSync(folder, { recursive: true, force: true });
  renameSync(made, folder);
  return found;
}

/** Where a package of that version is, or would be. */
export function pinnedFolder(name, version) {
  return path.join(cache, `${name.replace('/', '+')}@${version}`, 'node_modules', name);
}

/** The Node of a major version that is not the present one, as npm has it for this machine. */
export async function pinnedNode(version) {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return path.join(await pinned(name, version), 'bin/node');
}

/** Runs a program to its end and gives what it printed and how it ended; rejects where it fails, unless told not to. */
export function run(program, args, { mayFail = false, input = '', timeout = 300_000, ...options } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe', timeout, ...options });
    let printed = '';
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      told += text;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0 || mayFail) resolve({ code, printed, told });
      else reject(new Error(`${program} ${args.join(' ')} ended by ${signal ?? code}: ${told || printed}`));
    });
    child.stdin.on('error', () => {}).end(input);
  });
}
