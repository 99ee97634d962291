// Four real agents in an empty home, configured by `lspan setup` alone: each must list lspan as connected. Then --remove, after
// which no file of theirs may name lspan, although some have rewritten their files meanwhile. That their hooks work is for
// `agents.js --edits --by setup`.
//   node test/campaigns/setup.js   (after `npm run build`)
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pinned, run } from './pinned.js';

const platform = `${process.platform}-${process.arch}`;
const bin = path.resolve(import.meta.dirname, '../../dist/bin.js');
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-setup-')));
const project = path.join(home, 'project');
const env = {
  HOME: home,
  PATH: process.env.PATH,
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  GEMINI_API_KEY: 'none',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
};

/** Each with its program, and how its list says that lspan is there. Codex only reads its file for that. */
const agents = [
  {
    id: 'claude-code',
    program: [path.normalize(`${await pinned('@anthropic-ai/claude-code', '2.1.325')}-${platform}/claude`)],
    connected: /lspan: .* - ✔ Connected/,
  },
  {
    id: 'codex',
    program: [process.execPath, path.join(await pinned('@openai/codex', '0.166.0'), 'bin/codex.js')],
    connected: /lspan +\S+ +\S+ mcp .*enabled/,
  },
  {
    id: 'gemini-cli',
    program: [process.execPath, path.join(await pinned('@google/gemini-cli', '0.61.0'), 'bundle/gemini.js')],
    connected: /lspan: .* \(stdio\) - Connected/,
  },
  {
    id: 'opencode',
    program: [
      path.normalize(`${await pinned('opencode-ai', '1.18.18')}/../opencode-${platform}/bin/opencode`),
    ],
    connected: /lspan .*connected/,
  },
];

mkdirSync(path.join(project, '.git'), { recursive: true });
mkdirSync(path.join(home, '.gemini'));
// Gemini CLI starts no server in a folder that it does not trust.
const settings = '{\n  // mine\n  "security": { "folderTrust": { "enabled": false } }\n}\n';
writeFileSync(path.join(home, '.gemini/settings.json'), settings);
const setup = (...words) =>
  run(process.execPath, [bin, 'setup', ...agents.map(({ id }) => id), '--yes', ...words], {
    env,
    cwd: project,
  });

await setup('--rules');
let failures = 0;
const listed = await run(process.execPath, [bin, 'setup', '--list'], { env, cwd: project });
check(
  'all have hooks',
  (listed.printed.match(/with\s+hooks/g) ?? []).length === agents.length,
  listed.printed,
);
for (const {
  id,
  program: [program, ...args],
  connected,
} of agents) {
  const { printed, told } = await run(program, [...args, 'mcp', 'list'], {
    env,
    cwd: project,
    mayFail: true,
  });
  const isConnected = connected.test(`${printed}${told}`.replaceAll(/\x1b\[[\d;]*m/g, ''));
  check(`${id} lists lspan`, isConnected, `${printed}${told}`);
}
const { printed } = await setup('--rules');
check(
  'a second run has nothing to do',
  (printed.match(/already set up/g) ?? []).length === agents.length,
  printed,
);
await setup('--remove');
check('the bytes are back', readFileSync(path.join(home, '.gemini/settings.json'), 'utf8') === settings, '');
const files = [
  '.claude.json',
  '.codex/config.toml',
  '.config/opencode/opencode.json',
  '.claude/CLAUDE.md',
  '.codex/AGENTS.md',
  '.codex/hooks.json',
  '.claude/settings.json',
  '.config/opencode/plugin/lspan.js',
];
const left = files.filter(
  (file) =>
    existsSync(path.join(home, file)) && readFileSync(path.join(home, file), 'utf8').includes('lspan'),
);
check('no file names lspan any more', left.length === 0, left.join());
check('no record is left', readdirSync(path.join(home, '.local/state/lspan/setup')).length === 0, '');
// An agent may still write into its home after its last answer.
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
process.exitCode = failures === 0 ? 0 : 1;

function check(what, holds, otherwise) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}`);
  if (holds) return;
  failures++;
  console.log(otherwise);
}
