import { type Call, cancelSignalOf, within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol } from '../../core/questions.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import { wordsOf } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { isSecret } from '../show/location.ts';

/** Completes a path by the files of the workspace that are not ignored. */
export async function completePath({ workspace }: ToolContext, typed: string, call: Call): Promise<Matches> {
  await workspace.refresh(call);
  const shown = [...workspace.files()].map((path) => workspace.show(path));
  return bestMatches(typed.replace(/^\.\//, ''), shown);
}

/**
 * Completes the name of a symbol, of one file or of the workspace. Only servers that run are asked, and not for long;
 * of a file whose server does not run, the words of its text are offered.
 */
export async function completeSymbol(
  context: ToolContext,
  typed: string,
  file: string | undefined,
  call: Call,
): Promise<Matches> {
  await context.workspace.refresh(call);
  const names = file === undefined ? namedIn(context, typed, call) : namesOf(context, file, call);
  return bestMatches(typed, await names);
}

async function namedIn(context: ToolContext, query: string, call: Call): Promise<readonly string[]> {
  if (query === '') return [];
  const found = await inTime(context.backend.servers.askRunning({ kind: 'symbols', query }, call), call);
  return (found ?? []).map(({ name }) => name);
}

async function namesOf(context: ToolContext, file: string, call: Call): Promise<readonly string[]> {
  const { workspace, backend } = context;
  // A file that is not there, or not ours to read, has no names: what was typed so far need not be right.
  const path = await workspace.resolve(file).catch(() => undefined);
  if (path === undefined) return [];
  const outline = await inTime(backend.servers.askRunning({ kind: 'outline', path }, call), call);
  if (outline) return outline.flatMap((symbol) => pathsOf(symbol, ''));
  // Nobody who completes a name has asked for the words of a file that keeps secrets.
  if (isSecret(context, { path })) return [];
  const document = await workspace.read(path).catch(() => undefined);
  return document ? wordsOf(document.text).map(({ text }) => text) : [];
}

/** `Server`, `Server.run`: as tools take them. */
function pathsOf({ name, children }: OutlineSymbol, holder: string): readonly string[] {
  return [`${holder}${name}`, ...children.flatMap((child) => pathsOf(child, `${holder}${name}.`))];
}

/** An answer that fails or is late is none: somebody is typing. */
function inTime<T>(asked: Promise<T>, call: Call): Promise<T | undefined> {
  return within(
    asked.catch(() => undefined),
    limits.completion.time,
    cancelSignalOf(call),
  );
}

/** The best completions of what was typed, and how many there are in all. */
export interface Matches {
  readonly values: readonly string[];
  readonly total: number;
}

/**
 * Ranks what may complete a text: what begins with it, then what has a part that begins with it, then what holds it,
 * then what holds its letters in order. What hides characters or breaks lines is left out: what one sees would not be what one gets.
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
  return holdsInOrder(wanted, value) ? 3 : undefined;
}

const partEnds = /[/.]/;

function holdsInOrder(letters: string, value: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const at = value.indexOf(letter, from);
    if (at === -1) return false;
    from = at + letter.length;
  }
  return true;
}
