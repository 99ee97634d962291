import { type Call, withinShare } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Span } from '../../core/question.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { isC } from '../../source-text/c-files.ts';
import { mayBePart } from '../../source-text/c-fragments.ts';
import { macrosOver } from '../../source-text/macros.ts';
import { wordAt } from '../../source-text/words.ts';
import { definitionsAt } from '../mentions/definitions-at.ts';
import { type AskedBeside, askedBeside } from '../run/asked-beside.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Returns the references of C where a macro joins words to the name: no text has it there, so no rename changes it. */
export async function pastedUses(
  context: ToolContext,
  symbol: { readonly place: Place; readonly name: string },
  call: Call,
): Promise<AskedBeside<readonly Span[]>> {
  if (!isC(symbol.place.path)) return { value: [], doubts: [] };
  const asking = withinShare(call, limits.shares.beside, (part) => search(context, symbol, part));
  return askedBeside(asking, unlisted, call);
}

const unlisted = 'The server did not list the references, so the rename may leave some. Call again.';

async function search(
  context: ToolContext,
  { place, name }: { readonly place: Place; readonly name: string },
  call: Call,
): Promise<readonly Span[]> {
  const { answer } = await context.backend.ask({ kind: 'references', place }, call);
  const byWord = new Map<string, Span[]>();
  const pace = new Pace();
  for (const span of answer) {
    if (pace.isLate()) await pace.rest();
    const word = span.standing === 'inside' ? await wordOf(context, span) : undefined;
    if (word === undefined || word === name) continue;
    const others = byWord.get(word);
    if (others) others.push(span);
    else byWord.set(word, [span]);
  }
  const macros = new Set<string>();
  const defining: string[] = [];
  for (const [word, [first]] of byWord) {
    const macro = first && (await macroBehind(context, first, call));
    if (!macro) continue;
    macros.add(word);
    defining.push(...macro.paths);
  }
  if (macros.size === 0) return [];
  const mentioning = ((await context.workspace.mentioning(name, call)) ?? []).filter(isC);
  const files = new Set([...defining, ...mentioning.slice(0, limits.mentions.files)]);
  const writing = await macrosOver(textsOf(context, files), name, macros);
  return [...byWord].flatMap(([word, spans]) => (macros.has(word) && !writing.has(word) ? spans : []));
}

/** Reads files one by one, as far as they are asked for. */
async function* textsOf(context: ToolContext, files: Iterable<string>): AsyncIterable<string> {
  for (const path of files) yield (await documentAt(context, path))?.text ?? '';
}

async function wordOf(context: ToolContext, { path, range: { start } }: Span): Promise<string | undefined> {
  return wordAt((await documentAt(context, path))?.line(start.line) ?? '', start.character);
}

/**
 * Returns the macro at a reference, if it is one. In C++ an instance, too, may be a reference whose text is another name: to
 * its constructor. In a list that others include, the server does not know the macro.
 */
async function macroBehind(
  context: ToolContext,
  span: Span,
  call: Call,
): Promise<{ readonly paths: readonly string[] } | undefined> {
  const [definition] = (await definitionsAt(context, span, call)) ?? [];
  if (!definition) return mayBePart(span.path) ? { paths: [] } : undefined;
  const { line, character } = definition.range.start;
  const before = (await documentAt(context, definition.path))?.line(line).slice(0, character) ?? '';
  return /^\s*#\s*define\s+$/.test(before) ? { paths: [definition.path] } : undefined;
}
