import { type Call, endOf, within } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { OutlineSymbol } from '../../core/questions.ts';
import { wordsOf } from '../../source-text/words.ts';
import type { World } from '../run/tool.ts';
import { isSecret } from '../show/location.ts';
import { bestMatches, type Matches } from './best-matches.ts';

/** Completes a path by the files of the workspace that are not ignored. */
export async function completePath({ workspace }: World, typed: string, call: Call): Promise<Matches> {
  await workspace.refresh(call);
  const shown = [...workspace.files()].map((path) => workspace.show(path));
  return bestMatches(typed.replace(/^\.\//, ''), shown);
}

/**
 * Completes the name of a symbol, of one file or of the workspace. Only servers that run are asked, and not for long;
 * of a file whose server does not run, the words of its text are offered.
 */
export async function completeSymbol(
  world: World,
  typed: string,
  file: string | undefined,
  call: Call,
): Promise<Matches> {
  await world.workspace.refresh(call);
  const names = file === undefined ? namedIn(world, typed, call) : namesOf(world, file, call);
  return bestMatches(typed, await names);
}

async function namedIn(world: World, query: string, call: Call): Promise<readonly string[]> {
  if (query === '') return [];
  const found = await inTime(world.backend.peek({ kind: 'symbols', query }, call), call);
  return (found ?? []).map(({ name }) => name);
}

async function namesOf(world: World, file: string, call: Call): Promise<readonly string[]> {
  const { workspace, backend } = world;
  // A file that is not there, or not ours to read, has no names: what was typed so far need not be right.
  const path = await workspace.resolve(file).catch(() => undefined);
  if (path === undefined) return [];
  const outline = await inTime(backend.peek({ kind: 'outline', path }, call), call);
  if (outline) return outline.flatMap((symbol) => pathsOf(symbol, ''));
  // Nobody who completes a name has asked for the words of a file that keeps secrets.
  if (isSecret(world, { path })) return [];
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
    endOf(call),
  );
}
