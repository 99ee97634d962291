// Where the bench works, and what it starts.
import { existsSync, realpathSync, rmSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const exe = process.platform === 'win32' ? '.exe' : '';

/** Everything that this run writes but for its results; two runs at a time do not meet. */
export const workFolder = path.join(import.meta.dirname, '.work', String(process.pid));

/** The executable that is measured. */
export const bin = path.join(workFolder, 'dist/bin.js');

/** The environment of everything that is started: nobody's configuration counts. */
export const env = {
  ...process.env,
  XDG_CONFIG_HOME: path.join(workFolder, 'config'),
  XDG_STATE_HOME: path.join(workFolder, 'state'),
};

/** Copies what was built, so that a build while the bench runs does not change what is measured. */
export async function prepareWork() {
  process.on('exit', () => rmSync(workFolder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
  await mkdir(path.join(workFolder, 'config/lspan'), { recursive: true });
  // A question that is repeated to be measured must reach the server.
  await writeFile(path.join(workFolder, 'config/lspan/config.toml'), '[limits]\nanswers_mb = 0\n');
  await cp(path.join(root, 'dist'), path.join(workFolder, 'dist'), { recursive: true });
}

/** The command of the server that lspan uses for a language; nothing where it is not installed. */
export const serverCommands = {
  typescript: [
    path.join(root, `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc${exe}`),
    '--lsp',
    '--stdio',
  ],
  python: [process.execPath, path.join(root, 'node_modules/pyright/langserver.index.js'), '--stdio'],
  cpp: clangd(),
};

/** clangd with lspan's own arguments, where it is installed. */
function clangd() {
  const names = ['clangd', ...Array.from({ length: 9 }, (_, index) => `clangd-${22 - index}`)];
  const places = names.map((name) => path.join('/usr/bin', name)).filter(existsSync);
  const options = [
    '--background-index',
    '--limit-references=0',
    '--limit-results=500',
    '--log=error',
    '--use-dirty-headers',
  ];
  return places.length === 0 ? undefined : [realpathSync(places[0]), ...options];
}
