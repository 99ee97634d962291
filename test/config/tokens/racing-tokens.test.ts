import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readTokenFile } from '../../../src/config/tokens/token-file.ts';
import { ensureToken } from '../../../src/config/tokens/write-tokens.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** A process that reads a command per line and answers with a line. */
class Child {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  constructor(module: string) {
    const arguments_ = ['--input-type=module', '--eval', program(module)];
    this.#process = spawn(process.execPath, arguments_, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async answer(): Promise<string> {
    return (await this.#answers.next()).value;
  }

  /** Sent to all processes before the first has begun. */
  ask(what: 'ensure' | 'rotate' | 'keep', file: string): Promise<string> {
    this.#process.stdin.write(`${what} ${file}\n`);
    return this.answer();
  }

  end(): void {
    this.#process.kill('SIGKILL');
  }
}

function program(module: string): string {
  return `
    import { readFileSync } from 'node:fs';
    import { createInterface } from 'node:readline';
    import { ensureToken, rotateTokens } from ${JSON.stringify(pathToFileURL(module).href)};
    const doings = {
      ensure: (file) => (ensureToken(file), readFileSync(file, 'utf8').trim()),
      rotate: (file) => rotateTokens(file, { keep: false }),
      keep: (file) => rotateTokens(file, { keep: true }),
    };
    createInterface({ input: process.stdin }).on('line', (line) => {
      const [what, file] = line.split(' ');
      let answer;
      try { answer = doings[what](file); } catch (error) { answer = error.code + ' ' + error.message; }
      console.log(answer);
    });
    console.log('ready');`;
}

let folder = '';
let children: readonly Child[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'lspan-tokens-'));
  const bundler = pathToFileURL(path.join(root, 'scripts/bundle.js')).href;
  const entry = path.join(root, 'src/config/tokens/write-tokens.ts');
  const build = `import { bundleLibrary } from ${JSON.stringify(bundler)}; await bundleLibrary([${JSON.stringify(entry)}], ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', build]);
  children = Array.from({ length: 8 }, () => new Child(path.join(folder, 'write-tokens.mjs')));
  expect(new Set(await Promise.all(children.map((child) => child.answer())))).toEqual(new Set(['ready']));
});

afterAll(() => {
  for (const child of children) child.end();
  rmSync(folder, { recursive: true });
});

function freshPlace(): string {
  return path.join(temporaryFolder(), 'lspan', 'token');
}

it('TRN-33 eight processes that start at once all get the same token', async () => {
  for (let round = 0; round < 20; round += 1) {
    const file = freshPlace();
    const told = await Promise.all(children.map((child) => child.ask('ensure', file)));
    expect(new Set(told)).toEqual(new Set([readFileSync(file, 'utf8').trim()]));
    expect(readdirSync(path.dirname(file))).toEqual(['token']);
  }
});

it('TRN-33 each of eight processes that rotate at once succeeds or must try again, and no reader sees a torn file', async () => {
  const file = freshPlace();
  ensureToken(file);
  const state = { isOver: false };
  const asking = (async () => {
    for (let round = 0; round < 10; round += 1) {
      const told = await Promise.all(children.map((child) => child.ask('rotate', file)));
      const [made, refused] = [told.filter(isToken), told.filter((answer) => !isToken(answer))];
      expect(made).toContain(readFileSync(file, 'utf8').trim());
      for (const answer of refused) expect(answer).toMatch(/^busy Another lspan .* Try again/);
    }
  })().finally(() => {
    state.isOver = true;
  });
  let read = 0;
  for (; !state.isOver; read += 1) {
    expect(readTokenFile(file)).toEqual({ tokens: [expect.stringMatching(/^[\w-]{43}$/)] });
    await setImmediate();
  }
  await asking;
  expect(read).toBeGreaterThan(0);
});

it('TRN-33 a token that one of eight processes adds is not lost to another', async () => {
  const file = freshPlace();
  const made: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const told = await Promise.all(children.map((child) => child.ask('keep', file)));
    made.push(...told.filter(isToken));
  }
  expect([...readTokenFile(file).tokens].sort()).toEqual(made.sort());
});

function isToken(answer: string): boolean {
  return /^[\w-]{43}$/.test(answer);
}
