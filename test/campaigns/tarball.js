// The package as npm packs it, installed into an empty project: its declarations under two compilers and two ways to
// resolve modules, its entries and the examples on three versions of Node. Nothing may be left running or warned of.
//   npm run tarball [-- --only 24]
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { writeFiles } from './lspan.js';
import { pinnedNode, run } from './pinned.js';
import { checks } from './tarball/checks.js';
import { startedIn } from './tarball/started-in.js';

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const root = path.resolve(import.meta.dirname, '../..');
const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-tarball-')));
// Neither the user's settings nor what surrounds a hook of git reach what is run.
const env = {
  // npm puts the programs of this tree first, which nobody has who only installed the package.
  PATH: process.env.PATH.split(path.delimiter)
    .filter((entry) => !entry.startsWith(root))
    .join(path.delimiter),
  HOME: path.join(folder, 'home'),
  TERM: 'dumb',
  NO_COLOR: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

const compilers = { 'TypeScript 5': 'typescript-5', 'TypeScript 7': 'typescript-7' };
/** With the types of Node as most have them, and with those of browsers alone. */
const resolutions = {
  nodenext: { module: 'nodenext', lib: ['es2022', 'esnext.disposable'], types: ['node'] },
  bundler: { module: 'preserve', lib: ['es2022', 'esnext.disposable', 'dom'], types: [] },
};
const nodes = ['20.10.0', '20.20.2', '22.23.3', '24.21.0'].filter((version) =>
  version.startsWith(values.only),
);

const rows = [];
try {
  const consumer = await installInto(path.join(folder, 'consumer'), await pack());
  for (const [name, compiler] of Object.entries(compilers))
    for (const resolution of Object.keys(resolutions))
      await judge(`types, ${resolution}`, name, () => typeCheck(consumer, compiler, resolution));
  for (const version of nodes) {
    const node = await pinnedNode(version);
    const place = { consumer, run: (...args) => quietly(node, ...args) };
    for (const [title, check] of Object.entries(checks))
      await judge(title, `Node ${version}`, () => check(place));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const width = Math.max(...rows.map(([title]) => title.length));
console.log(
  rows.map(([title, where, result]) => `${title.padEnd(width)}  ${where.padEnd(12)}  ${result}`).join('\n'),
);

/** Runs one check, and looks for what it left behind. */
async function judge(title, where, check) {
  const began = performance.now();
  const failure = await check().then(
    () => undefined,
    (error) => error.message,
  );
  const left = startedIn(folder);
  const took = `${((performance.now() - began) / 1000).toFixed(1)} s`;
  const isRight = failure === undefined && left.length === 0;
  rows.push([title, where, isRight ? `ok, ${took}` : 'WRONG']);
  if (isRight) return;
  process.exitCode = 1;
  console.log(`WRONG ${title}, ${where}: ${failure ?? `left running: ${left.join(', ')}`}`);
}

async function pack() {
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  await run('npm', ['run', 'package', '--', folder], { cwd: root });
  return path.join(folder, `${name}-${version}.tgz`);
}

/** What somebody has who follows the first line of the documents, in a folder that held nothing. */
async function installInto(project, tarball) {
  mkdirSync(project, { recursive: true });
  writeFiles(project, { 'package.json': '{ "private": true, "type": "module" }\n' });
  const quiet = ['--no-audit', '--no-fund', '--no-progress', '--prefer-offline'];
  const { told } = await run('npm', ['install', ...quiet, tarball], { cwd: project });
  // What npm says of this machine's own settings is not about the package.
  const remarks = told.replaceAll(/^npm warn Unknown \w+ config .*\n/gm, '');
  if (remarks !== '') throw new Error(`npm said: ${remarks}`);
  cpSync(path.join(import.meta.dirname, 'tarball/projects/consumer'), project, { recursive: true });
  cpSync(path.join(project, 'node_modules/lspan/examples'), path.join(project, 'examples'), {
    recursive: true,
  });
  return project;
}

/** Checks the declarations too, as nobody's `skipLibCheck` would. */
async function typeCheck(project, compiler, resolution) {
  const tsc = path.join(root, 'node_modules', compiler, 'bin/tsc');
  const settings = {
    compilerOptions: {
      target: 'es2022',
      ...resolutions[resolution],
      moduleResolution: resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      typeRoots: [path.join(root, 'node_modules/@types')],
      rootDir: '.',
      outDir: 'built',
    },
    files: ['consumer.ts'],
  };
  writeFiles(project, { 'tsconfig.json': JSON.stringify(settings) });
  const { code, printed } = await run(process.execPath, [tsc, '-p', '.'], { cwd: project, mayFail: true });
  if (code !== 0) throw new Error(printed);
}

/** Runs a script to its end. Whatever is wrong with it, or warned of, rejects. */
async function quietly(node, script, args = [], { code = 0, ...options } = {}) {
  const state = { XDG_STATE_HOME: path.join(folder, 'state') };
  const ran = await run(node, [script, ...args], {
    env: { ...env, ...state },
    mayFail: true,
    timeout: 120_000,
    ...options,
  });
  if (ran.code !== code) throw new Error(`${script} ended with ${ran.code}: ${ran.told}${ran.printed}`);
  if (/warning/i.test(ran.told)) throw new Error(`${script} warned: ${ran.told}`);
  return ran;
}
