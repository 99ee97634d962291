// Makes docs/pictures/: what real commands print in a copy of demo/, drawn as a terminal. It needs a build.
//   node scripts/pictures.js [--print]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { renderTerminal } from './terminal-svg.js';

const root = path.resolve(import.meta.dirname, '..');
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-pictures-')));
const project = path.join(home, 'demo');
const programs = path.join(home, 'bin');
/** A user of whom nothing is known and who has no other programs, so that the pictures are the same on every machine. */
const environment = {
  PATH: programs,
  HOME: home,
  XDG_RUNTIME_DIR: home,
  LANG: 'C.UTF-8',
};

const mostRounds = 5;
const rename = `lspan call rename_symbol '{"symbol_name": "addPrices", "new_name": "sumPrices"}'`;

/** The commands of each picture; those in `before` are not shown. */
const pictures = [
  {
    name: 'references',
    title: 'every use, as the compiler sees it',
    alt: 'lspan lists the five references of addPrices in three files, each with its line of code.',
    commands: [`lspan call find_references '{"symbol_name": "addPrices"}'`],
  },
  {
    name: 'rename',
    title: 'a rename: preview, then apply',
    alt: 'lspan previews a rename in three files as a diff, says that it introduces no problem, and applies it.',
    commands: [rename, `${rename} --apply`],
  },
  {
    name: 'rename-problems',
    title: 'a rename that would break something',
    alt: 'lspan previews a rename, lists the four errors that it would introduce, and doubts it.',
    commands: [
      `lspan call rename_symbol '{"symbol_name": "due", "file_path": "src/receipt.ts", "new_name": "cart"}'`,
    ],
  },
  {
    name: 'doctor',
    title: 'lspan doctor',
    alt: 'lspan doctor asks each language server about the code of the project. Everything works.',
    commands: ['lspan doctor'],
  },
  {
    name: 'after-edit',
    title: 'what the model is told after an edit, without asking',
    alt: 'After an edit of src/price.ts, lspan tells of the two errors in other files that were not there before.',
    before: [`printf '${hookInput('SessionStart')}' | lspan hook opencode`],
    commands: [
      `sed -i 's/amount: number/amount: string/' src/price.ts`,
      '# then the hook of the agent runs:',
      'lspan hook opencode < ../edit.json',
    ],
    after: ['lspan stop'],
    // A hook waits three seconds, and leaves the rest to the next one; a busy machine may need longer.
    complete: '2 errors',
  },
];

/** What differs between runs and machines, and what the pictures have in its place. */
const unsteady = [
  // Where a line is wrapped depends on the digits of the times in it.
  [/\n {30,}(?=\S)/g, ' '],
  [/\b\d[\d,.]* m?s\b/g, '…'],
  [/\b\d[\d,.]* (MB|GB)\b/g, '… $1'],
  [/\b\d[\d,]* of \d[\d,]* are in use/g, '… of … are in use'],
  [/Node [\d.]+, \S+/g, 'Node …'],
  [/, (?:not )?confined\b/g, ''],
  [/\be-[0-9a-z]{10}\b/g, 'e-…'],
];

try {
  prepare();
  const made = pictures.map(({ name, ...picture }) => [`${name}.svg`, draw(picture)]);
  if (process.argv[2] === '--print') process.stdout.write(JSON.stringify(made));
  else writeAll(path.join(root, 'docs/pictures'), made);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The programs of the pictures, `lspan` as an installation has it, and what a client says of an edit. */
function prepare() {
  mkdirSync(programs);
  symlinkSync('/bin/sed', path.join(programs, 'sed'));
  // Not every machine has a sandbox.
  mkdirSync(path.join(home, '.config/lspan'), { recursive: true });
  writeFileSync(path.join(home, '.config/lspan/config.toml'), 'confine = "never"\n');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'dist/bin.js')}' "$@"\n`;
  writeFileSync(path.join(programs, 'lspan'), script, { mode: 0o755 });
  writeFileSync(path.join(home, 'edit.json'), hookInput('PostToolUse'));
}

function hookInput(event) {
  return JSON.stringify({ session_id: 'demo', cwd: project, hook_event_name: event, tool_input: {} });
}

function draw({ title, alt, complete = '', ...picture }) {
  for (let round = 1; round <= mostRounds; round += 1) {
    const lines = linesOf(picture);
    if (lines.some((line) => line.includes(complete))) return renderTerminal({ title, alt, lines });
  }
  throw new Error(`${mostRounds} times, "${title}" did not have "${complete}".`);
}

function linesOf({ before = [], commands, after = [] }) {
  for (const folder of ['demo', '.local', '.cache'])
    rmSync(path.join(home, folder), { recursive: true, force: true });
  cpSync(path.join(root, 'demo'), project, { recursive: true });
  for (const command of before) run(command);
  const blocks = commands.map((command, index) =>
    isNote(commands[index - 1] ?? '#') ? shown(command) : ['', ...shown(command)],
  );
  for (const command of after) run(command);
  return blocks.flat();
}

function isNote(command) {
  return command.startsWith('#');
}

function shown(command) {
  if (isNote(command)) return [command];
  const printed = unsteady.reduce((text, [pattern, by]) => text.replace(pattern, by), run(command));
  const lines = printed.replaceAll(home, '~').trimEnd();
  return [`$ ${command}`, ...(lines === '' ? [] : lines.split('\n'))];
}

function run(command) {
  const options = { cwd: project, env: environment, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
  return execFileSync('/bin/sh', ['-c', command], options);
}

function writeAll(folder, made) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of made) writeFileSync(path.join(folder, file), text);
}
