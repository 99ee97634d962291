import { type Call, cancelSignalOf, within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol } from '../../core/question.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { wordsOf } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { isSecret } from '../show/location.ts';

/** Completes a path with the files of the workspace that are not ignored. */
export async function completePath({ workspace }: ToolContext, typed: string, call: Call): Promise<Matches> {
  await workspace.refresh(call);
  const shown = [...workspace.files()].map((path) => workspace.show(path));
  return bestMatches(typed.replace(/^\.\//, ''), shown);
}

/**
 * Completes the name of a symbol of a file or of the workspace. Asks only servers that run, and not for long; if the
 * server of a file does not run, offers the words of its text.
 */
export async function completeSymbol(
  context: ToolContext,
  typed: string,
  file: string | undefined,
  call: Call,
): Promise<Matches> {
  await context.workspace.refresh(call);
  const names =
    file === undefined ? namesInWorkspace(context, typed, call) : namesInFile(context, file, call);
  return bestMatches(typed, await names);
}

async function namesInWorkspace(context: ToolContext, query: string, call: Call): Promise<readonly string[]> {
  if (query === '') return [];
  const found = await inTypingTime(
    context.backend.servers.askRunning({ kind: 'symbols', query }, call),
    call,
  );
  return (found ?? []).map(({ name }) => name);
}

async function namesInFile(context: ToolContext, file: string, call: Call): Promise<readonly string[]> {
  const { workspace, backend } = context;
  // A file that does not exist, or may not be read, has no names: the path may not be typed fully yet.
  const path = await workspace.resolve(file).catch(() => undefined);
  if (path === undefined) return [];
  const outline = await inTypingTime(backend.servers.askRunning({ kind: 'outline', path }, call), call);
  if (outline) return outline.flatMap((symbol) => pathsOf(symbol, ''));
  // Completing a name must not reveal the words of a file that may contain secrets.
  if (isSecret(context, { path })) return [];
  const document = await workspace.read(path).catch(() => undefined);
  return document ? wordsOf(document.text).map(({ text }) => text) : [];
}

/** Returns `Server`, `Server.run`, as tools accept them. */
function pathsOf({ name, children }: OutlineSymbol, holder: string): readonly string[] {
  return [`${holder}${name}`, ...children.flatMap((child) => pathsOf(child, `${holder}${name}.`))];
}

/** Ignores an answer that fails or is late, since the user is typing. */
function inTypingTime<T>(reply: Promise<T>, call: Call): Promise<T | undefined> {
  const orNothing = reply.catch(() => undefined);
  return within(orNothing, limits.completion.time, cancelSignalOf(call));
}

/** The best completions, and how many there are in all. */
export interface Matches {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * Ranks completions: those that begin with the text, have a part that begins with it, contain it, or contain its
 * letters in order. Omits values with hidden characters or line breaks, which would not be what they look like.
 */
export function bestMatches(typed: string, offered: Iterable<string>): Matches {
  const wanted = typed.toLowerCase();
  const found: { readonly value: string; readonly rank: number }[] = [];
  for (const value of new Set(offered)) {
    const rank = rankOf(wanted, value.toLowerCase());
    if (rank !== undefined && visibleLine(value) === value) found.push({ value, rank });
  }
  found.sort((a, b) => a.rank - b.rank || a.value.length - b.value.length || (a.value < b.value ? -1 : 1));
  return {
    values: found.slice(0, limits.completion.values).map(({ value }) => value),
    total: found.length,
  };
}

function rankOf(wanted: string, value: string): number | undefined {
  if (value.startsWith(wanted)) return 0;
  const at = value.indexOf(wanted);
  if (at > 0) return partEnds.test(value[at - 1] ?? '') ? 1 : 2;
  return containsInOrder(wanted, value) ? 3 : undefined;
}

const partEnds = /[/.]/;

function containsInOrder(letters: string, value: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = value.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}
