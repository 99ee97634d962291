import { existsSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import { checkArguments, type Kind, kinds, listOf, oneOf } from '../core/check-arguments.ts';
import { LspanError } from '../core/errors.ts';
import { bringHome, fileOfModule, ownHome } from '../platform/files/own-home.ts';
import { fillPrivateFile, TemporaryFolder } from '../platform/files/private-folder.ts';
import type { FakeScript } from './script.ts';

/** Options of `fakeServer`. */
export interface FakeOptions {
  /** Server id. Default `fake`. */
  readonly id?: string;
  /** Extensions of the files that it serves, without dots. Default `['txt']`. */
  readonly extensions?: readonly string[];
}

/** A message that a fake server received: a request, a notification, or the reply to one of its own requests. */
export interface FakeMessage {
  readonly method?: string;
  readonly id?: number | string | null;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A language server for tests. The program under test starts it; this object says how, and what it received. */
export interface FakeServer extends Disposable {
  /** Program and arguments that start it. */
  readonly command: readonly [string, ...string[]];
  /** Definition for `startClient({ server })` and `createBridge({ config: { servers: [server] } })`. */
  readonly server: {
    readonly id: string;
    readonly command: readonly [string, ...string[]];
    readonly extensions: readonly string[];
    /** It is ready at once, so that an empty answer has no doubt. */
    readonly ready: 'immediate';
    /** A sandbox would keep it from noting its number and what it reads. */
    readonly confine: 'never';
  };
  /** Returns the messages that its processes have read so far, in order; only those of `method` if given. */
  received(method?: string): readonly FakeMessage[];
  /** Resolves to the last of `count` messages of a method as soon as its processes have read them. */
  heard(method: string, count?: number): Promise<FakeMessage>;
  /** Returns the client's violations of the protocol as sentences, such as a change of a document that is not open. */
  complaints(): readonly string[];
  /** Returns the ids of the processes started so far, in order. */
  pids(): readonly number[];
  /** Removes its files. First close the program that started it: this ends no process. */
  close(): void;
}

/**
 * Creates a language server that follows a script. Without one it is a well-behaved small server of a language of
 * words: `function`, `class`, `interface`, `const`, `let` or `def` and a name declare the name, and every other
 * occurrence of the word in the files of the root refers to it. Names after it on its line are its supertypes; the words
 * up to the next declaration are its calls. Words that begin with `ERROR_` are errors, with `WARN_` warnings. It answers
 * definitions, references, hovers, outlines, symbols, hierarchies, renames, completions, code actions, formatting and
 * diagnostics, and knows the files as its client last reported them.
 *
 * A script changes this by rules, each for a method or a moment: the server is slow (`delayMs`, `waitFor`,
 * `slowReader`), mute (`never`), wrong (`replyValue`, `emptyResult`, `replyTwice`, `badLength`, `garbage`), or ends
 * (`exit`, `signalSelf`, `closeStream`, `busyLoop`). Given several scripts, each process takes the next, and the last one
 * repeats: a server that crashes once and then works is `[{ rules: […] }, {}]`.
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
  const scripts = isList(script) ? script : [script];
  if (scripts.length === 0)
    throw new LspanError('invalid_input', 'Give at least one script, which may be {}.');
  if (program === undefined) throw bundledAway();
  for (const one of scripts) checkArguments('The script of fakeServer', one, scriptRows);
  checkArguments('The options of fakeServer', options, optionRows);
  const { id = 'fake', extensions = ['txt'] } = options;
  const folder = new TemporaryFolder();
  const notes = folder.path;
  const file = path.join(notes, 'script.json');
  fillPrivateFile(file, { text: JSON.stringify({ scripts, notes }) });
  const command: FakeServer['command'] = [process.execPath, program, file];
  const received = (method?: string) => messages(notes, method);
  const waiting = new Set<Waiting>();
  const close = () => {
    for (const { giveUp } of waiting) giveUp();
    folder.remove();
  };
  return {
    command,
    server: { id, command, extensions, ready: 'immediate', confine: 'never' },
    received,
    heard: (method, count = 1) => seen(notes, () => received(method).at(count - 1), waiting),
    complaints: () => linesOf(notes, 'complaints').map(String),
    pids: () => linesOf(notes, 'pids').map(Number),
    close,
    [Symbol.dispose]: close,
  };
}

/** Next to this file, in the sources and in the package; for a bundled program, in the installed package. */
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

/** A misspelt key would otherwise leave a well-behaved server, and a test that passes. */
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

/** Returns complete lines only: a process may be writing the last one. */
function linesOf(notes: string, name: string): unknown[] {
  const file = path.join(notes, name);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** A pending `heard`. */
interface Waiting {
  giveUp(): void;
}

/** Resolves when `look` finds something; looks again on every change in the folder. */
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
  // An abandoned promise must not become an unhandled rejection.
  found.catch(() => {});
  return found;
}

function closedBefore(): LspanError {
  return new LspanError('cancelled', 'The fake server was closed before it heard that.');
}
