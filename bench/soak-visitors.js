// Clients of the soak's daemon that come, ask, change files and leave, or are killed in the middle of it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startMcpClient } from './mcp-client.js';

/** How many clients there are at a time, beside one that stays; each has two files of its own to change. */
const atOnce = 3;
/** The most milliseconds between a client and the next one. */
const gap = 2_000;
/** Milliseconds in which the files of a client that was killed have to stay the same, and in which they have to become whole. */
const calm = { still: 2_000, whole: 15_000 };

/** How a client leaves, as often as it is listed. */
const endings = [
  ...['end', 'end', 'end', 'end', 'end', 'end', 'SIGTERM', 'SIGKILL'],
  ...['kill while it asks', 'kill while it changes'],
];

/** Those who come and go, and what became of their changes. */
export class Visitors {
  counts = { came: 0, left: 0, killed: 0, edits: 0, halfDone: 0 };
  #soak;

  constructor(soak) {
    this.#soak = soak;
  }

  /** Until the soak is over; some are commands of a shell. */
  async comeAndGo() {
    const loops = Array.from({ length: atOnce }, (_, place) =>
      this.#loop(new Pair(this.#soak.project, place)),
    );
    await Promise.all([...loops, this.#shell()]);
  }

  async #loop(pair) {
    await pair.write();
    while (!this.#soak.isOver()) {
      await this.#visit(pair);
      await pause(this.#soak.random() * gap);
    }
  }

  async #visit(pair) {
    const { project, place } = this.#soak;
    const args = ['mcp', '--workspace', project.folder, '--daemon'];
    const client = startMcpClient({ ...place, args, cwd: project.folder });
    this.counts.came += 1;
    await client.initialize();
    const ending = this.#pick(endings);
    for (let turn = 0; turn < 3; turn += 1) await this.#ask(client);
    if (ending === 'kill while it asks') {
      client.callAndCancel('find_references', this.#pick(this.#questions()).input);
      return this.#kill(client);
    }
    if (ending === 'kill while it changes') {
      client.request('tools/call', pair.rename()).catch(() => {});
      await pause(this.#soak.random() * 60);
      await this.#kill(client);
      return this.#settle(pair);
    }
    await this.#change(client, pair);
    if (ending === 'SIGKILL') return this.#kill(client);
    await (ending === 'end' ? client.stop() : client.terminate());
    this.counts.left += 1;
  }

  async #kill(client) {
    await client.terminate('SIGKILL');
    this.counts.killed += 1;
  }

  async #ask(client) {
    const question = this.#pick(this.#questions());
    const since = performance.now();
    this.#soak.judge.judge(
      'typescript',
      question,
      since,
      await client.outcome(question.tool, question.input),
    );
  }

  /** Renames a function, and asks for it by its new name. */
  async #change(client, pair) {
    const { judge } = this.#soak;
    const before = pair.state();
    const { name: tool, arguments: input } = pair.rename();
    const since = performance.now();
    const answer = await client.outcome(tool, input);
    const total = answer.edit?.files.length;
    judge.judge('typescript', { tool, count: 2 }, since, { ...answer, total });
    const now = pair.state();
    const expected = answer.error && answer.error !== 'already_applied' ? before : input.new_name;
    this.#note(now === expected, pair, `${JSON.stringify(answer).slice(0, 400)}: ${before} → ${now}`);
    this.counts.edits += 1;
    if (now === 'mixed') return pair.write();
    const asked = performance.now();
    const question = { tool: 'find_references', count: 3 };
    const references = await client.outcome(question.tool, { file_path: pair.library, symbol_name: now });
    judge.judge('typescript', question, asked, references);
  }

  /** What a client that was killed had begun is done or taken back. */
  async #settle(pair) {
    const last = performance.now() + calm.whole;
    for (let seen = pair.state(); ; seen = pair.state()) {
      await pause(calm.still);
      if (seen === pair.state() && seen !== 'mixed') return;
      if (performance.now() > last) break;
    }
    this.#note(false, pair, 'not whole after its client was killed');
    await pair.write();
  }

  #note(isRight, { library }, what) {
    if (isRight) return;
    this.counts.halfDone += 1;
    console.error('half done, or not as told', library, what);
  }

  /** A command of a shell at a time; what it tells is that of the same question over MCP. */
  async #shell() {
    const { project, place, judge, isOver } = this.#soak;
    while (!isOver()) {
      const { tool, input, count } = this.#pick(this.#questions());
      const since = performance.now();
      const args = ['call', tool, JSON.stringify(input), '--json', '--daemon', '--workspace', project.folder];
      const child = spawn(process.execPath, [place.bin, ...args], {
        ...{ cwd: project.folder, env: place.env },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      this.counts.came += 1;
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
      await once(child, 'close');
      const answer = JSON.parse(said);
      judge.judge('typescript', { tool, count }, since, { ...answer, error: answer.error?.code });
      this.counts.left += 1;
      await pause(this.#soak.random() * gap);
    }
  }

  #questions() {
    return this.#soak.project.questions.typescript;
  }

  #pick(list) {
    return list[Math.floor(this.#soak.random() * list.length)];
  }
}

/** A function and a file that calls it, renamed again and again. */
class Pair {
  #folder;
  #place;
  #renames = 0;

  constructor({ folder }, place) {
    this.#folder = folder;
    this.#place = place;
    this.library = `src/visited-${place}.ts`;
    this.user = `src/visits-${place}.ts`;
  }

  async write() {
    const name = this.#next();
    await writeFile(path.join(this.#folder, this.library), `export function ${name}(): void {}\n`);
    const text = `import { ${name} } from './visited-${this.#place}.js';\n\n${name}();\n`;
    await writeFile(path.join(this.#folder, this.user), text);
  }

  /** The name that both files have, or `mixed`. */
  state() {
    const names = new Set([this.library, this.user].flatMap((file) => this.#namesIn(file)));
    return names.size === 1 ? [...names][0] : 'mixed';
  }

  /** The call that gives the function a name that it has never had. */
  rename() {
    const input = { file_path: this.library, symbol_name: this.state(), new_name: this.#next() };
    return { name: 'rename_symbol', arguments: { ...input, dry_run: false } };
  }

  #next() {
    this.#renames += 1;
    return `visited${this.#place}Named${this.#renames}`;
  }

  #namesIn(file) {
    const found = readFileSync(path.join(this.#folder, file), 'utf8').match(/visited\d+Named\d+/g);
    return found ?? ['none'];
  }
}
