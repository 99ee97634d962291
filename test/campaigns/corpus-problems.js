// Compares the errors of get_diagnostics without a path with those of the compilers, on real code of others, in the states
// `fetched` and `bare`. Both lists must be the same; a complete answer may come after several calls.
//   node test/campaigns/corpus-problems.js [NAME…] [--states fetched,bare] [--daemon]
// What it fetches goes to the folder `lspan-campaigns` under $XDG_CACHE_HOME or ~/.cache.
import { execFile } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { entries } from './corpus/entries.js';
import { makeState } from './corpus/states.js';
import { connectLspan, daemonOption, ownHome } from './lspan.js';
import { cache } from './pinned.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { states: { type: 'string', default: 'fetched,bare' }, ...daemonOption },
});
const root = path.resolve(import.meta.dirname, '../..');

/** The errors that a compiler finds, each as `file:line code`. */
const compilers = {
  async typescript({ project }) {
    const tsc = path.join(
      root,
      `node_modules/@typescript/typescript-${process.platform}-${process.arch}/lib/tsc`,
    );
    const { stdout } = await output(tsc, ['--noEmit', '--pretty', 'false'], { cwd: project });
    const found = [...stdout.matchAll(/^(.+?)\((\d+),\d+\): error TS(\d+):/gm)];
    return found.map(([, file, line, code]) => `${file}:${line} ${code}`);
  },
  async python({ project, env }) {
    const script = path.join(root, 'node_modules/pyright/index.js');
    const options = { cwd: project, env: { ...process.env, ...env } };
    const { stdout } = await output(process.execPath, [script, '--outputjson'], options);
    const { generalDiagnostics } = JSON.parse(stdout);
    return generalDiagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ file, range, rule = '' }) => `${relative(project, file)}:${range.start.line + 1} ${rule}`);
  },
  // Only the type errors: what an analyser of vet finds is no error to gopls, and has no "vet:" before it.
  async go({ project, env }) {
    const go = { ...process.env, ...env, GOFLAGS: '-buildvcs=false', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    const { stderr } = await output('go', ['vet', './...'], { cwd: project, env: go });
    return [...stderr.matchAll(/^vet: (\S+?\.go):(\d+):\d+:/gm)].map(
      ([, file, line]) => `${relative(project, path.resolve(project, file))}:${line} `,
    );
  },
};

function relative(project, file) {
  return path.relative(project, file).split(path.sep).join('/');
}

function output(program, args, options) {
  return new Promise((resolve) =>
    execFile(program, args, { ...options, maxBuffer: 2 ** 28 }, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    ),
  );
}

/** The errors that lspan tells, after as many calls as it takes, and the pages of the last. */
async function told({ project, env }, language, own) {
  const lspan = await connectLspan({ project, env: { ...ownHome(own).env, ...env }, daemon: values.daemon });
  const wanted = { min_severity: 'error', max_tokens: 20_000 };
  let answer = await lspan.call('get_diagnostics', wanted);
  let calls = 1;
  const isOpen = ({ unchecked = 0, files }) => unchecked > 0 || files.some(({ state }) => state !== 'fresh');
  for (; isOpen(answer) && calls < 20; calls += 1) answer = await lspan.call('get_diagnostics', wanted);
  const found = [...answer.diagnostics];
  for (let page = answer; page.next_cursor !== undefined; ) {
    page = await lspan.call('get_diagnostics', { ...wanted, cursor: page.next_cursor });
    found.push(...page.diagnostics);
  }
  await lspan.stop();
  const extensions = { typescript: /\.[cm]?[jt]sx?$/, python: /\.pyi?$/, go: /\.go$/ }[language];
  const errors = found
    .filter(({ file_path }) => extensions.test(file_path))
    .map(({ file_path, line, code = '' }) => `${file_path}:${line} ${language === 'go' ? '' : code}`);
  return { errors, calls, doubts: answer.doubts.map(({ detail }) => detail) };
}

let isDifferent = false;
for (const entry of entries) {
  if (!compilers[entry.language]) continue;
  if (positionals.length > 0 && !positionals.includes(entry.name) && !positionals.includes(entry.language))
    continue;
  for (const state of values.states.split(',')) {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-problems-')));
    const made = await makeState(entry, state, folder, cache);
    const expected = new Set(await compilers[entry.language](made));
    const { errors, calls, doubts } = await told(made, entry.language, path.join(folder, 'own'));
    const given = new Set(errors);
    // go vet ends at ten errors of a package, and tells those of packages that import a broken one no more.
    const missing = [...expected].filter((one) => !given.has(one));
    const extra = entry.language === 'go' ? [] : [...given].filter((one) => !expected.has(one));
    console.log(
      `${entry.name} ${state}: ${expected.size} errors, ${missing.length} missing, ${extra.length} extra, ${calls} calls`,
    );
    for (const one of missing.slice(0, 5)) console.log(`  missing ${one}`);
    for (const one of extra.slice(0, 5)) console.log(`  extra ${one}`);
    for (const one of doubts) console.log(`  doubt ${one}`);
    if (missing.length + extra.length > 0) isDifferent = true;
    rmSync(folder, { recursive: true, force: true });
  }
}
if (isDifferent) process.exitCode = 1;
