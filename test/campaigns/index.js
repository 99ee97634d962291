// Compares what an index says of real projects with what the live language server says: every use of a sample of
// symbols. Prints the differences by what their lines look like, with an example of each, for a person to judge.
//   node test/campaigns/index.js [PROJECT…] [--symbols 60]
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createBridge } from '../../dist/index.mjs';
import { pinned } from './pinned.js';

const root = path.resolve(import.meta.dirname, '../..');
const bin = path.join(root, 'dist/bin.js');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { symbols: { type: 'string', default: '60' } },
});

/** The projects: how each gets to its folder, and how it is indexed. */
const projects = {
  core: { indexer: 'typescript', from: () => path.join(root, 'src/core') },
  zod: { indexer: 'typescript', from: async () => path.join(await pinned('zod', '4.6.7'), 'src/v4/core') },
  rxjs: { indexer: 'typescript', from: async () => path.join(await pinned('rxjs', '7.8.2'), 'src/internal') },
  click: { indexer: 'python', from: () => '/usr/lib/python3/dist-packages/click' },
};

const indexers = {
  typescript: { name: '@sourcegraph/scip-typescript', version: '0.4.0', main: 'dist/src/main.js' },
  python: { name: '@sourcegraph/scip-python', version: '0.6.6', main: 'index.js' },
};

for (const name of positionals.length > 0 ? positionals : Object.keys(projects)) {
  const { indexer, from } = projects[name];
  const source = await from();
  if (!existsSync(source)) {
    console.log(`${name}: skipped, ${source} is not here`);
    continue;
  }
  await compare(name, source, indexer);
}

async function compare(name, source, language) {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-index-')));
  const project = path.join(folder, name);
  cpSync(source, path.join(project, 'src'), { recursive: true, dereference: true });
  if (language === 'typescript') writeTypescript(project);
  process.env.XDG_STATE_HOME = path.join(folder, 'state');
  try {
    const file = path.join(folder, 'index.scip');
    await index(project, language, file);
    execFileSync(process.execPath, [bin, 'index', 'add', file, '--workspace', project], { stdio: 'inherit' });
    await compareUses(name, project);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeTypescript(project) {
  const compilerOptions = {
    strict: true,
    module: 'nodenext',
    target: 'es2023',
    allowImportingTsExtensions: true,
  };
  const options = { ...compilerOptions, noEmit: true, skipLibCheck: true, types: ['node'] };
  execFileSync('tee', [path.join(project, 'tsconfig.json')], {
    input: JSON.stringify({ compilerOptions: options, include: ['src'] }),
  });
  execFileSync('tee', [path.join(project, 'package.json')], {
    input: JSON.stringify({ name: path.basename(project), version: '1.0.0', type: 'module' }),
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(project, 'node_modules'));
}

async function index(project, language, file) {
  const { name, version, main } = indexers[language];
  const program = path.join(await pinned(name, version), main);
  const { status, stderr } = spawnSync(process.execPath, [program, 'index', '--output', file], {
    cwd: project,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${name} failed: ${stderr}`);
}

/** Asks about the same places twice: with the servers, and with none, so that the index answers. */
async function compareUses(name, project) {
  const live = await createBridge({ workspace: project });
  const names = await namesOf(live, project);
  const places = names.slice(0, Number(values.symbols));
  const alone = await createBridge({
    workspace: project,
    config: { disabled_servers: await serverIds(live) },
  });
  const forms = new Map();
  let [same, all] = [0, 0];
  for (const place of places) {
    const [known, indexed] = [await uses(live, place), await uses(alone, place)];
    if (known === undefined) note(forms, 'the server has no answer', place);
    else if (indexed === undefined) note(forms, 'the index has no symbol there', place);
    else {
      all += known.size;
      same += [...known].filter((one) => indexed.has(one)).length;
      noteDifferences(forms, project, known, indexed);
    }
  }
  await Promise.all([live.close(), alone.close()]);
  console.log(`${name}: ${places.length} symbols, ${same} of ${all} uses are the same`);
  for (const [form, some] of forms) console.log(`  ${form}: ${some.length}, such as ${show(some[0])}`);
}

function noteDifferences(forms, project, known, indexed) {
  for (const one of known) if (!indexed.has(one)) note(forms, missingForm(project, one), one);
  for (const one of indexed) if (!known.has(one)) note(forms, addedForm(project, one), one);
}

function note(forms, form, what) {
  forms.set(form, [...(forms.get(form) ?? []), what]);
}

function show(what) {
  return typeof what === 'string' ? what : `${what.file_path}:${what.line}:${what.character}`;
}

/** What a line looks like of which the index lacks a use that the server has. */
function missingForm(project, place) {
  const line = lineAt(project, place);
  if (/^\s*(\*|\/\*|\/\/|#)/.test(line)) return 'only the server: in a comment';
  if (/\bexport\b|\bimport\b/.test(line)) return 'only the server: in an import or export';
  if (/[{,]\s*\w+\s*[,}:]/.test(line))
    return 'only the server: a property in braces, which may name two symbols';
  if (/\?\.|\[|\bkeyof\b|\binfer\b|</.test(line))
    return 'only the server: through a type, an index or an optional member';
  return 'only the server: another form';
}

/** What a line looks like of which the index has a use that the server lacks. */
function addedForm(project, place) {
  const line = lineAt(project, place);
  if (/\bexport\b|\bimport\b/.test(line)) return 'only the index: in an import or export';
  if (/[{,]\s*\w+\s*[,}:]/.test(line))
    return 'only the index: a property in braces, which may name two symbols';
  return 'only the index: another form';
}

function lineAt(project, place) {
  const [file, line] = place.split(':');
  return readFileSync(path.join(project, file), 'utf8').split('\n')[Number(line) - 1] ?? '';
}

async function uses(bridge, place) {
  const found = await bridge.call('find_references', { ...place, max_tokens: 20_000 }).catch(() => undefined);
  if (!found) return undefined;
  const { references } = found.data;
  const inside = references.filter(({ external }) => external === undefined);
  return new Set(inside.map(({ file_path, line, character }) => `${file_path}:${line}:${character}`));
}

/** The declared symbols of the largest files. */
async function namesOf(bridge, project) {
  const listed = execFileSync('find', ['src', '-name', '*.ts', '-o', '-name', '*.py'], {
    cwd: project,
    encoding: 'utf8',
  });
  const files = listed
    .split('\n')
    .filter((file) => file !== '' && !file.includes('node_modules'))
    .sort();
  const places = [];
  for (const file_path of files.slice(0, 40)) {
    const found = await bridge.call('get_document_symbols', { file_path }).catch(() => undefined);
    for (const { line, character } of found?.data.symbols ?? []) places.push({ file_path, line, character });
  }
  return places.filter((_, at) => at % Math.max(1, Math.floor(places.length / Number(values.symbols))) === 0);
}

async function serverIds(bridge) {
  const { data } = await bridge.call('get_server_status', {});
  return [...new Set(data.servers.map(({ id }) => id).filter((id) => id !== 'index'))];
}
