import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { servers } from '../../src/servers/index.ts';
import { canaryOf, type Trap } from './canary.ts';
import { compiledTraps } from './compiled-traps.ts';
import { javascriptTraps } from './javascript-traps.ts';
import { currentFolderTraps, programFolders, programTraps } from './program-traps.ts';
import { pythonTraps } from './python-traps.ts';
import { repositoryTraps } from './repository-traps.ts';
import { sampleOf } from './samples.ts';

/** Every way into lspan and its servers that a repository could try. */
const traps: readonly Trap[] = [
  ...javascriptTraps,
  ...compiledTraps,
  ...pythonTraps,
  ...repositoryTraps,
  ...programTraps,
  ...currentFolderTraps,
];

/** A hostile repository, and what of it has been run. */
export interface EvilRepo {
  readonly root: string;
  /** A value of PATH that looks into the repository before anywhere else. */
  readonly searchPath: string;
  /** Which traps were run, and by which words. */
  canaries(): Readonly<Record<string, string>>;
}

/** Writes the repository into `folder/repo`, with a source for every file that some server serves. */
export function writeEvilRepo(folder: string): EvilRepo {
  const root = path.join(folder, 'repo');
  const dropped = path.join(folder, 'canaries');
  mkdirSync(dropped, { recursive: true });
  const files = new Map<string, string>();
  for (const { name, files: of } of traps) {
    for (const [file, text] of Object.entries(of(canaryOf(name, dropped), root))) {
      if (files.has(file)) throw new Error(`Two traps write ${file}.`);
      files.set(file, text);
    }
  }
  for (const { name, text } of samples()) if (!files.has(name)) files.set(name, text);
  for (const [file, text] of files) writeOne(path.join(root, file), text);
  compilePlugin(root);
  return {
    root,
    searchPath: [...programFolders.map((name) => path.join(root, name)), '.', '', process.env.PATH].join(
      path.delimiter,
    ),
    canaries: () =>
      Object.fromEntries(
        readdirSync(dropped).map((name) => [name, readFileSync(path.join(dropped, name), 'utf8')]),
      ),
  };
}

function samples() {
  return servers.flatMap(({ extensions }) =>
    Object.entries(extensions).map(([key, language]) => sampleOf(key, language)),
  );
}

function writeOne(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  if (text.startsWith('#!')) chmodSync(file, 0o755);
}

/** Without a C compiler the plugin stays a source, and loading it fails. */
function compilePlugin(root: string): void {
  if (!existsSync('/usr/bin/cc')) return;
  const words = ['-shared', '-fPIC', '-x', 'c', '-o', 'evil.so', 'evil.so.c'];
  const { status, stderr } = spawnSync('/usr/bin/cc', words, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The plugin cannot be compiled: ${stderr}`);
}
