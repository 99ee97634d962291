import type { Reply } from '../core/backend.ts';
import type { Call } from '../core/call.ts';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { contains, type Position } from '../core/positions.ts';
import type { FoundSymbol, OutlineSymbol, Span } from '../core/questions.ts';
import { occurrences } from '../core/words.ts';
import type { Document } from '../workspace/document.ts';
import type { Located } from './locate.ts';
import { toLocations, uniqueSpans } from './location.ts';
import { unverified } from './nothing-here.ts';
import { lastPart, pathParts } from './symbol-path.ts';
import type { Target } from './target.ts';
import type { World } from './tool.ts';

/** Finds a symbol by its name: in a file by its outline and then by its first use, else in the workspace. */
export async function locateByName(world: World, target: Target, call: Call): Promise<Located> {
  const wanted = target.symbol_name ?? '';
  if (target.file_path === undefined) return locateInWorkspace(world, target, wanted, call);
  const path = await world.workspace.resolve(target.file_path);
  const document = await world.workspace.read(path);
  const { answer: outline, doubts } = await world.outlines.of(world, path, call);
  const matches = firstOfOverloads(matchOutline(outline, pathParts(wanted), target.symbol_kind), outline);
  const spans = matches.map(
    ({ selection }) => ({ path, range: selection, standing: 'inside' }) satisfies Span,
  );
  if (spans.length > 1) throw await ambiguous(world, wanted, spans, call);
  const [only] = spans;
  if (only) return { ...at(document, only, wanted), doubts: [] };
  if (pathParts(wanted).length > 1 || target.symbol_kind !== undefined)
    throw notDefined(wanted, target.symbol_kind, doubts);
  return { ...firstUse(document, wanted), doubts };
}

/** Holders and kinds are known only of what a file defines, so a mere use of the name is no answer. */
function notDefined(wanted: string, kind: string | undefined, doubts: readonly Doubt[]): LspanError {
  const what = kind ? `${kind} ${JSON.stringify(wanted)}` : JSON.stringify(wanted);
  if (doubts.length > 0) return unverified(`No definition of ${what} was found in this file`, doubts);
  return new LspanError('not_found', `This file defines no ${what}.`, {
    nextStep: 'Give the bare name for its first use in this file, or leave `file_path` out.',
  });
}

async function locateInWorkspace(world: World, target: Target, wanted: string, call: Call): Promise<Located> {
  const parts = pathParts(wanted);
  const name = lastPart(wanted);
  const { answer, doubts }: Reply<readonly FoundSymbol[]> = await world.backend.ask(
    { kind: 'symbols', query: name },
    call,
  );
  const matches = answer.filter(
    (symbol) =>
      bareName(symbol.name) === name &&
      symbol.span.standing === 'inside' &&
      (target.symbol_kind === undefined || symbol.kind === target.symbol_kind) &&
      endsWithParts(pathParts(symbol.container ?? ''), parts.slice(0, -1)),
  );
  const spans = uniqueSpans(matches.map(({ span }) => span));
  const [only] = spans;
  if (!only) throw notFound(wanted, doubts);
  if (spans.length > 1) throw await ambiguous(world, wanted, spans, call);
  return { ...at(await world.workspace.read(only.path), only, wanted), doubts };
}

/** Whether the innermost holders of a symbol are the ones that were named; as far as the server tells its holders. */
function endsWithParts(holders: readonly string[], named: readonly string[]): boolean {
  if (named.length > 0 && holders.length === 0) return false;
  const known = named.slice(-Math.max(holders.length, 1));
  return known.every((part, index) => bareName(holders.at(index - known.length) ?? '') === part);
}

/** Servers may give a whole declaration: the name inside it is where a question is asked. */
function at(document: Document, { path, range }: Span, wanted: string): Pick<Located, 'place' | 'name'> {
  const name = lastPart(wanted);
  for (let { line } = range.start; line <= range.end.line; line += 1) {
    const column = occurrences(document.line(line), name).find((start) =>
      contains(range, { line, character: start }),
    );
    if (column !== undefined) return { place: { path, position: { line, character: column } }, name };
  }
  return { place: { path, position: range.start }, name };
}

function firstUse(document: Document, wanted: string): Located {
  const name = lastPart(wanted);
  for (let line = 0; line < document.lineCount; line += 1) {
    const [character] = occurrences(document.line(line), name);
    if (character === undefined) continue;
    const position: Position = { line, character };
    const adjusted = `the first use of ${JSON.stringify(name)} in the file, at ${line + 1}:${character + 1}`;
    return { place: { path: document.path, position }, name, adjusted, doubts: [] };
  }
  throw new LspanError('not_found', `${JSON.stringify(wanted)} does not stand in this file.`, {
    nextStep: 'Leave `file_path` out to search the workspace, or see get_document_symbols.',
  });
}

function matchOutline(
  outline: readonly OutlineSymbol[],
  parts: readonly string[],
  kind: string | undefined,
  above: readonly string[] = [],
): OutlineSymbol[] {
  return outline.flatMap((symbol) => {
    const own = [...above, bareName(symbol.name)];
    const fits = parts.every((part, index) => own.at(index - parts.length) === part);
    const below = matchOutline(symbol.children, parts, kind, own);
    return fits && own.length >= parts.length && (kind === undefined || symbol.kind === kind)
      ? [symbol, ...below]
      : below;
  });
}

/** Declarations of one name side by side in one holder are overloads, or a getter with its setter: one symbol. */
function firstOfOverloads(
  matches: readonly OutlineSymbol[],
  outline: readonly OutlineSymbol[],
): OutlineSymbol[] {
  const [first, ...others] = matches;
  if (!first) return [];
  const siblings = siblingsOf(first, outline);
  return others.every((other) => siblings.includes(other) && callable.has(other.kind))
    ? [first]
    : [...matches];
}

const callable: ReadonlySet<string> = new Set(['function', 'method', 'constructor', 'property']);

function siblingsOf(symbol: OutlineSymbol, level: readonly OutlineSymbol[]): readonly OutlineSymbol[] {
  if (level.includes(symbol)) return level;
  return level.map(({ children }) => siblingsOf(symbol, children)).find((found) => found.length > 0) ?? [];
}

/** Some servers add a signature or quotes to a name, and before a signature also a type: `int foo(char)`. */
function bareName(name: string): string {
  const [bare = '', signature] = name.replace(/^["']|["']$/g, '').split(/(?=\()/, 2);
  return signature === undefined
    ? bare
    : (bare
        .trim()
        .split(/[\s*&]+/)
        .at(-1) ?? bare);
}

async function ambiguous(
  world: World,
  wanted: string,
  spans: readonly Span[],
  call: Call,
): Promise<LspanError> {
  const shown = await toLocations(world, spans.slice(0, mostCandidates), call);
  const candidates = shown.map(({ file_path, line, character, text }) => ({
    file_path,
    line,
    character,
    text,
  }));
  return new LspanError('ambiguous', `${JSON.stringify(wanted)} is the name of ${spans.length} symbols.`, {
    candidates,
    nextStep: 'Call again with the file_path, line and character of the one that is meant.',
  });
}

const mostCandidates = Math.min(20, limits.results.page);

function notFound(wanted: string, doubts: readonly Doubt[]): LspanError {
  if (doubts.length === 0) {
    return new LspanError(
      'not_found',
      `No symbol named ${JSON.stringify(wanted)} is known in the workspace.`,
      {
        nextStep: 'Give the `file_path` where it is used, or a part of the name to search_workspace_symbols.',
      },
    );
  }
  const otherwise = 'Or give the `file_path` where it is used.';
  return unverified(`No symbol named ${JSON.stringify(wanted)} was found`, doubts, otherwise);
}
