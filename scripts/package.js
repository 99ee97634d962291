// Packs lspan as npm would publish it, from a clone in which nothing is installed. It installs only what the build needs, in
// a temporary folder: the tests need 40 times as many packages, most of them language servers.
//   npm run package [-- FOLDER]   puts the tarball into FOLDER, by default the current one
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const destination = path.resolve(process.argv[2] ?? '.');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-package-')));
const sources = ['src', 'scripts'];
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

try {
  const published = manifest.files.filter((name) => name !== 'dist');
  for (const name of [...sources, ...published, 'tsconfig.json', 'package-lock.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  writeManifest({ ...manifest, devDependencies: pick(manifest.devDependencies, neededPackages()) });
  // Not `npm ci`, which refuses a lock file that lists more. Its versions and hashes hold all the same.
  npm('install', '--ignore-scripts', '--no-audit', '--no-fund');
  // npm has left out of it what is not installed here. The build takes the versions of language servers from it.
  cpSync(path.join(root, 'package-lock.json'), path.join(folder, 'package-lock.json'));
  execFileSync(process.execPath, ['scripts/build.js'], { cwd: folder, stdio: 'inherit' });
  writeManifest(manifest);
  npm('pack', '--ignore-scripts', '--pack-destination', destination);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The packages that the sources import, and the types of these and of Node. */
function neededPackages() {
  const files = sources.flatMap((name) =>
    readdirSync(path.join(root, name), { recursive: true }).map((file) => path.join(root, name, file)),
  );
  const scripts = files.filter((file) => /\.[jt]s$/.test(file) && path.basename(file) !== 'demo.js');
  const imported = scripts.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'((?:@[\w.-]+\/)?[\w-][\w.-]*)/g)].map(
      ([, name]) => name,
    ),
  );
  const names = new Set([...imported, 'node']);
  return [...names].flatMap((name) => [name, `@types/${name}`]);
}

function pick(versions, names) {
  return Object.fromEntries(Object.entries(versions).filter(([name]) => names.includes(name)));
}

function writeManifest(value) {
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(value, null, 2)}\n`);
}

function npm(...args) {
  // What npm says of its own configuration is no news here.
  const options = { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' };
  execFileSync('npm', [...args, '--loglevel=error'], options);
}
