import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Answering } from '../../../../src/core/backend.ts';
import { beginCall, type Call } from '../../../../src/core/call.ts';
import { openTestWorld, type Received, type TestSetting, type TestWorld } from '../../../test-bridge.ts';

/** A project in which `b.txt` uses what `a.txt` declares in its first line. */
const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha beta\n' };

/** `a.txt` with the declaration in its third line. */
export const moved = { 'a.txt': 'first\nsecond\nfunction alpha\n' };

/** Where a definition of `alpha` is, on the disk and in that text. */
export const [onDisk, inOverlay] = [['a.txt 0:9'], ['a.txt 2:9']];

/** A world over that project, with short ways to ask and to overlay. */
export interface OverlayWorld extends TestWorld {
  readonly call: Call;
  /** Where the first word of a line is declared: that of `b.txt` when nothing is said. */
  definition(who?: Answering, call?: Call, file?: string, line?: number): Promise<readonly string[]>;
  /** The problems of files with their states, such as `a.txt fresh 0:0 ERROR_x`. */
  problemsOf(who: Answering, ...names: string[]): Promise<readonly string[]>;
  /** The files of which problems are known, on the disk. */
  known(): Promise<readonly string[]>;
  overlay<T>(
    texts: Readonly<Record<string, string>>,
    work: (overlaid: Answering) => Promise<T>,
    call?: Call,
  ): Promise<T>;
}

export async function openOverlayWorld(setting: TestSetting = {}): Promise<OverlayWorld> {
  const world = await openTestWorld({ files, ...setting });
  const { backend, workspace, root } = world;
  const call = callFor(60_000);
  const at = (file: string) => path.join(root, file);
  await workspace.refresh(call);
  return {
    ...world,
    call,
    definition: async (who = backend, asked = call, file = 'b.txt', line = 0) => {
      const place = { path: at(file), position: { line, character: 1 } };
      const { answer } = await who.ask({ kind: 'definition', place }, asked);
      return answer.map((span) => `${workspace.show(span.path)} ${start(span.range)}`);
    },
    known: async () => {
      const { answer } = await backend.workspaceDiagnostics(call);
      return answer.files.map((file) => workspace.show(file.path));
    },
    problemsOf: async (who, ...names) => {
      const { answer } = await who.diagnostics(names.map(at), call);
      return answer.map((file) =>
        [
          workspace.show(file.path),
          file.state,
          ...file.problems.map(({ range, code }) => `${start(range)} ${code}`),
        ].join(' '),
      );
    },
    overlay: (texts, work, asked = call) =>
      backend.overlay(new Map(Object.entries(texts).map(([file, text]) => [at(file), text])), asked, work),
  };
}

function start({ start: { line, character } }: { readonly start: { line: number; character: number } }) {
  return `${line}:${character}`;
}

/** A call that nobody cancels unless by the signal. */
export function callFor(time: number, signal?: AbortSignal): Call {
  return beginCall({ time }, signal);
}

/** The code that a promise rejects with. */
export function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => ({ value }),
    (error) => error.code ?? error,
  );
}

/** Expects right answers, and a server that believes the disk as far as it was told anything. */
export async function expectOfDisk(world: OverlayWorld, expected: readonly string[] = onDisk): Promise<void> {
  await world.workspace.refresh(world.call);
  expect(await world.definition()).toEqual(expected);
  for (const [uri, text] of believed(world.received()))
    expect({ uri, text }).toEqual({ uri, text: readFileSync(fileURLToPath(uri), 'utf8') });
}

/** The texts of the documents that the latest process of a server was left with; checks the order of messages. */
export function believed(received: readonly Received[]): ReadonlyMap<string, string> {
  const started = received.findLastIndex(({ method }) => method === 'initialize');
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();
  for (const { method = '', params } of received.slice(started)) {
    const { textDocument: { uri = '', text = '', version } = {}, contentChanges } = readParams(params);
    const wasOpen = texts.has(uri);
    if (method in opens) expect({ method, wasOpen }).toEqual({ method, wasOpen: opens[method] });
    if (method === 'textDocument/didClose') texts.delete(uri);
    else if (method in opens) texts.set(uri, contentChanges?.at(-1)?.text ?? text);
    if (version !== undefined) expect(version).toBeGreaterThan(versions.get(uri) ?? 0);
    if (version !== undefined) versions.set(uri, version);
  }
  return texts;
}

/** Whether a document must be open when the server is told something of it. */
const opens: Readonly<Record<string, boolean>> = {
  'textDocument/didOpen': false,
  'textDocument/didChange': true,
  'textDocument/didClose': true,
};

interface DocumentParams {
  readonly textDocument?: { readonly uri?: string; readonly text?: string; readonly version?: number };
  readonly contentChanges?: readonly { readonly text?: string }[];
}

function readParams(params: unknown): DocumentParams {
  return typeof params === 'object' && params !== null ? params : {};
}
