import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { checkArguments, type Kind, kinds, listOf, oneOf } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { bringHome, fileOfModule, ownHome } from '../platform/files/own-home.ts';
import { fillPrivateFile, TemporaryFolder } from '../platform/files/private-folder.ts';
import type { FakeScript } from './script.ts';

/** How a fake server is known to who starts it. */
export interface FakeOptions {
  /** Its name in what it is part of; `fake` when absent. */
  readonly id?: string;
  /** The files that it serves, without dots; `['txt']` when absent. */
  readonly extensions?: readonly string[];
}

/** A message as a fake server read it: a request, a notification, or the reply to a request of its own. */
export interface FakeMessage {
  readonly method?: string;
  readonly id?: number | string | null;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A language server to test against. Who starts it is the program under test; here is how, and what it met. */
export interface FakeServer extends Disposable {
  /** The program and its arguments, for whatever starts language servers. */
  readonly command: readonly [string, ...string[]];
  /** The same for `startClient({ server })`, and for `createBridge({ config: { servers: [server] } })`. */
  readonly server: {
    readonly id: string;
    readonly command: readonly [string, ...string[]];
    readonly extensions: readonly string[];
    /** It answers rightly from the first question on, so that it is believed where it finds nothing. */
    readonly ready: 'immediate';
  };
  /** The messages that its processes have read so far, in order; only those of a method where one is named. */
  received(method?: string): readonly FakeMessage[];
  /** Resolves when its processes have read that many messages of a method, with the last of them. */
  heard(method: string, count?: number): Promise<FakeMessage>;
  /** What its client did against the protocol, a sentence each: a change of a document that is not open, and such. */
  complaints(): readonly string[];
  /** The processes that were started so far, in order. */
  pids(): readonly number[];
  /** Removes its files. Close whoever started it before: it has no process of its own to end. */
  close(): void;
}

/**
 * Makes a language server that does what a script says. Without one it is a decent small server of a language of words:
 * `function`, `class`, `interface`, `const`, `let` or `def` and a name declare the name, and wherever else the word stands
 * in the files of the root, it means that. What follows a name on its line is what it comes from; the words up to the
 * next declaration are what it calls. Words that begin with `ERROR_` are errors, with `WARN_` warnings. It answers
 * definitions, references, hovers, outlines, symbols, hierarchies, renames, completions, code actions, formatting and
 * problems, and knows the files as they were when its client last told it of them.
 *
 * A script changes that by rules, each for a method or a moment: how it is slow (`delayMs`, `waitFor`, `slowReader`),
 * mute (`never`), wrong (`replyValue`, `emptyResult`, `replyTwice`, `badLength`, `garbage`), or gone (`exit`,
 * `signalSelf`, `closeStream`, `busyLoop`). Of several scripts each is that of one process, and the last that of all
 * after it: a server that crashes once, and then is well, is `[{ rules: […] }, {}]`.
 *
 * ```js
 * using fake = fakeServer({ rules: [{ on: { method: 'textDocument/hover' }, do: [{ never: true }] }] });
 * await using client = await startClient({ workspace, server: fake.server });
 * ```
 */
export function fakeServer(
  script: FakeScript | readonly FakeScript[] = {},
  options: FakeOptions = {},
): FakeServer {
  const lives = isList(script) ? script : [script];
  if (lives.length === 0) throw new LspanError('invalid_input', 'Give at least one script, which may be {}.');
  if (program === undefined) throw bundledAway();
  for (const life of lives) checkArguments('The script of fakeServer', life, scriptRows);
  checkArguments('The options of fakeServer', options, optionRows);
  const { id = 'fake', extensions = ['txt'] } = options;
  const folder = new TemporaryFolder();
  const notes = folder.path;
  const file = path.join(notes, 'script.json');
  fillPrivateFile(file, { text: JSON.stringify({ lives, notes }) });
  const command: FakeServer['command'] = [process.execPath, program, file];
  const received = (method?: string) => messages(notes, method);
  const waiting = new Set<Waiting>();
  const close = () => {
    for (const { giveUp } of waiting) giveUp();
    folder.remove();
  };
  return {
    command,
    server: { id, command, extensions, ready: 'immediate' },
    received,
    heard: (method, count = 1) => seen(notes, () => received(method).at(count - 1), waiting),
    complaints: () => linesOf(notes, 'complaints').map(String),
    pids: () => linesOf(notes, 'pids').map(Number),
    close,
    [Symbol.dispose]: close,
  };
}

/** Beside this file, in the sources as in the package; else, in a program that was bundled, in the package itself. */
const program = [fileOfModule(import.meta.url), ownHome && path.join(ownHome, 'dist/testing.mjs')]
  .map((file) => file && path.join(path.dirname(file), 'fake-server/bin.js'))
  .find((file) => file !== undefined && existsSync(file));

function bundledAway(): LspanError {
  return new LspanError(
    'not_installed',
    "The program of the fake server was not found: lspan's package is not with this program.",
    { nextStep: bringHome },
  );
}

/** What is misspelt would else leave a decent server, and a test that passes. */
const scriptRows: Readonly<Record<keyof FakeScript, Kind>> = {
  seed: { is: Number.isSafeInteger, said: 'a whole number' },
  positionEncoding: oneOf(['utf-8', 'utf-16', 'utf-32']),
  capabilities: kinds.record,
  diagnostics: oneOf(['pull', 'push', 'push_unversioned', 'both', 'none']),
  watch: kinds.texts,
  files: kinds.variables,
  log: kinds.text,
  rules: listOf(isRule, 'a list of objects with on and with do, which is a list'),
};

const optionRows: Readonly<Record<keyof FakeOptions, Kind>> = { id: kinds.text, extensions: kinds.texts };

function isRule(rule: unknown): boolean {
  return kinds.record.is(rule) && kinds.record.is(Object(rule).on) && Array.isArray(Object(rule).do);
}

function isList(script: FakeScript | readonly FakeScript[]): script is readonly FakeScript[] {
  return Array.isArray(script);
}

function messages(notes: string, method: string | undefined): readonly FakeMessage[] {
  const all: FakeMessage[] = linesOf(notes, 'received').map((message) => Object(message));
  return method === undefined ? all : all.filter((message) => message.method === method);
}

/** What was noted wholly: a process may be writing the last line. */
function linesOf(notes: string, name: string): unknown[] {
  const file = path.join(notes, name);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Somebody who waits for something that was not noted yet. */
interface Waiting {
  giveUp(): void;
}

/** Looks whenever something was noted. */
function seen<T>(notes: string, look: () => T | undefined, waiting: Set<Waiting>): Promise<T> {
  const found = new Promise<T>((resolve, reject) => {
    if (!existsSync(notes)) return reject(closedBefore());
    const watcher = watch(notes, () => tell());
    const end = () => {
      watcher.close();
      waiting.delete(one);
    };
    const one: Waiting = {
      giveUp: () => {
        end();
        reject(closedBefore());
      },
    };
    const tell = () => {
      const noted = look();
      if (noted === undefined) return;
      end();
      resolve(noted);
    };
    waiting.add(one);
    tell();
  });
  // Who no longer waits need not hear that there was nothing to hear.
  found.catch(() => {});
  return found;
}

function closedBefore(): LspanError {
  return new LspanError('cancelled', 'The fake server was closed before it heard that.');
}
