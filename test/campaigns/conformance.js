// TRN-37: the official conformance suite, both revisions. First against the real transport with the suite's own
// fixtures behind it: door, tokens and endpoint are lspan's, only the tools are not. Then against `lspan serve` itself,
// for what does not need a fixture.
//   npm run conformance [-- --verbose]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundleExecutable } from '../../scripts/bundle.js';
import { concerns, expected } from './conformance/expected.js';
import { startHeaderProxy } from './conformance/header-proxy.js';
import { judge, readChecks } from './conformance/judge.js';
import { pinned, pinnedNode, run } from './pinned.js';
import { startListening, startServe } from './serve.js';

const { values } = parseArgs({ options: { verbose: { type: 'boolean' } } });
const suite = '@modelcontextprotocol/conformance';
const newer = { name: '2026-07-28', version: '0.2.0-alpha.12', args: ['--requirements', '2026-07-28'] };
const older = { name: '2025-11-25', version: '0.2.0-alpha.12', args: ['--requirements', '2025-11-25'] };
const first = { name: 'all of 0.1.16', version: '0.1.16', args: ['--suite', 'all'] };

const folder = mkdtempSync(path.join(tmpdir(), 'lspan-conformance-'));
const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state') };
const node = await pinnedNode('22.23.3');
await bundleExecutable(path.join(import.meta.dirname, 'conformance/serve-fixtures.ts'), folder);
const applied = new Set();
let behind;
const proxy = await startHeaderProxy(() => behind);
try {
  for (const set of [newer, older, first]) await runSet('fixtures', set, startFixtures);
  for (const surface of ['lspan', 'gateway'])
    for (const set of [newer, older]) await runSet(surface, set, () => startSurface(surface));
} finally {
  await proxy.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const { why } of expected.filter((one) => !applied.has(one))) {
  console.log(`No longer applies, and should go: ${why}`);
  process.exitCode = 1;
}

async function runSet(served, { name, version, args }, start) {
  const program = path.join(await pinned(suite, version), 'dist/index.js');
  const results = path.join(folder, `${served} ${name}`);
  behind = await start();
  const asked = ['server', '--url', `${proxy.url}/mcp`, ...args, '--output-dir', results];
  const { code, printed, told } = await run(node, [program, ...asked], { mayFail: true });
  await behind.end();
  if (values.verbose) console.log(printed, told);
  const isWhole = served === 'fixtures';
  const checks = readChecks(results).filter((check) => isWhole || concerns(served, check));
  const excuses = expected.filter(({ surface = served }) => surface === served);
  const verdict = judge(
    `${name} (${version}), ${isWhole ? 'everything' : `${served} without fixtures`}`,
    checks,
    excuses,
  );
  console.log(verdict.lines.join('\n'));
  for (const one of verdict.applied) applied.add(one);
  // Where fixtures are missing, the suite itself can only fail.
  if (!verdict.isRight || (isWhole && code !== 0)) process.exitCode = 1;
}

async function startFixtures() {
  const words = [path.join(folder, 'bin.js'), ...proxy.origins];
  const { firstLine, end } = await startListening(words, { env, match: /^\{.*/ });
  return { ...JSON.parse(firstLine[0]), end };
}

function startSurface(surface) {
  const origins = proxy.origins.flatMap((origin) => ['--allow-origin', origin]);
  const demo = path.resolve(import.meta.dirname, '../../demo');
  return startServe(demo, { args: ['--surface', surface, ...origins], env });
}
