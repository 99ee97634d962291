// What the index of words costs on 5,000 files: generated modules, and real sources of the packages installed here.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { generateProject } from './project.js';
import { workFolder } from './work.js';

const files = 5_000;
const most = { build: 2_000, memory: 25, known: 1, fresh: 10 };
const root = path.resolve(import.meta.dirname, '..');

/** Measures the index alone, each time in a process of its own. */
export async function measureTextIndex() {
  const bundle = path.join(workFolder, 'open-workspace.mjs');
  const build = await rolldown({
    input: path.join(root, 'src/workspace/open-workspace.ts'),
    platform: 'node',
  });
  await build.write({ file: bundle, format: 'esm', codeSplitting: false });
  await build.close();
  const generated = await generateProject('typescript', files);
  return [
    ...measureOne('generated modules', bundle, generated.folder),
    ...measureOne('real sources', bundle, await realSources()),
  ];
}

function measureOne(what, bundle, folder) {
  const probe = path.join(import.meta.dirname, 'text-index-probe.js');
  const { stdout, status } = spawnSync(process.execPath, ['--expose-gc', probe, bundle, folder], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error('The probe of the index failed.');
  const { count, bytes, build, memory, known, fresh } = JSON.parse(stdout);
  const named = `${count} files, ${what} (${(bytes / 1e6).toFixed(0)} MB)`;
  const row = (name, value, unit, target) => ({
    what: `${named}: ${name}`,
    measured: `${value.toFixed(unit === 'ms' && value < 100 ? 2 : 0)} ${unit}`,
    target: `≤ ${target} ${unit}`,
    pass: value <= target,
  });
  return [
    row('made', build, 'ms', most.build),
    row('more memory', memory, 'MB', most.memory),
    row('a name already asked, median of 50', known, 'ms', most.known),
    row('a new name, median of 50', fresh, 'ms', most.fresh),
  ];
}

/** Copies sources of installed packages, in the order of their paths. */
async function realSources() {
  const folder = path.join(workFolder, 'real-sources');
  await mkdir(folder, { recursive: true });
  const modules = path.join(root, 'node_modules');
  const entries = await readdir(modules, { recursive: true });
  let copied = 0;
  for (const entry of entries.filter((name) => /\.(ts|mts|js|mjs|cjs)$/.test(name)).sort()) {
    const { size } = await stat(path.join(modules, entry));
    if (size === 0 || size > largest) continue;
    await cp(path.join(modules, entry), path.join(folder, `${copied}-${path.basename(entry)}`));
    if (++copied === files) break;
  }
  return folder;
}

const largest = 200_000;
