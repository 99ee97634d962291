import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { Place, Span } from '../../core/question.ts';
import { type CDeclaration, cDeclarationAt } from '../../source-text/c-declarations.ts';
import { isC } from '../../source-text/c-files.ts';
import { macroAt } from '../../source-text/macros.ts';
import { wordAround, wordAt } from '../../source-text/words.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { namePlaces } from './mentions.ts';

/**
 * Replaces declarations of C by the definition. A server asked at a definition returns the declaration in the header, and
 * one that has not read the file of the definition knows no other.
 */
export async function followDeclarations(
  context: ToolContext,
  place: Place,
  definitions: readonly Span[],
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const answer: Span[] = [];
  const doubts: Doubt[] = [];
  for (const definition of await notSwapped(context, 'definition', place, definitions)) {
    const isDeclared =
      definition.standing === 'inside' && (await shownAt(context, startOf(definition))) === 'declaration';
    const found = isDeclared ? await definedElsewhere(context, definition, call) : [];
    answer.push(...(found.length > 0 ? found : [definition]));
    if (isDeclared && found.length === 0) doubts.push(onlyDeclared(context, definition));
  }
  return { answer, doubts };
}

/**
 * Undoes that a server asked at the wanted place itself returns its counterpart, a definition for a declaration, or
 * another definition of that name: each program has its `main`, and the server takes them for one.
 */
export async function notSwapped(
  context: ToolContext,
  wanted: CDeclaration,
  place: Place,
  definitions: readonly Span[],
): Promise<readonly Span[]> {
  const [only, ...others] = definitions;
  if (only === undefined || others.length > 0 || only.standing !== 'inside') return definitions;
  const here = await wordOf(context, place);
  if (!here || (await shownAt(context, startOf(here))) !== wanted) return definitions;
  const there = await shownAt(context, startOf(only));
  if (there === undefined)
    return wanted === 'definition' && (await isByMacro(context, here, only)) ? [here] : definitions;
  return there === wanted && wanted === 'declaration' ? definitions : [here];
}

/** Undoes only that a server asked at a definition returns the text of a macro by which another program names its own. */
export async function notByMacro(
  context: ToolContext,
  place: Place,
  definitions: readonly Span[],
): Promise<readonly Span[]> {
  const [only] = definitions;
  const isMacro = only?.standing === 'inside' && isC(only.path) && (await isOfMacro(context, only));
  return isMacro ? notSwapped(context, 'definition', place, definitions) : definitions;
}

/** Returns the uses of a declared symbol whose text shows that they define it. */
async function definedElsewhere(context: ToolContext, declared: Span, call: Call): Promise<readonly Span[]> {
  const asking = context.backend.ask({ kind: 'references', place: startOf(declared) }, call);
  const uses = await asking.catch((thrown: unknown) => {
    if (cancelSignalOf(call).aborted) throw thrown;
    return { answer: [] };
  });
  const found: Span[] = [];
  for (const use of uses.answer)
    if (use.standing === 'inside' && (await shownAt(context, startOf(use))) === 'definition') found.push(use);
  return found;
}

function onlyDeclared({ workspace }: ToolContext, declared: Span): Doubt {
  const detail = `This is a declaration; no definition was found: ${namePlaces(workspace, [declared])}`;
  return { kind: 'unverified', detail };
}

async function shownAt(context: ToolContext, { path, position }: Place): Promise<CDeclaration | undefined> {
  const document = await documentAt(context, path);
  return document && cDeclarationAt(path, document.text, document.offsetAt(position));
}

/** True if a counterpart is in the text of a macro, or where one that declares it is used, as in `OPS(DECL)`. */
async function isByMacro(context: ToolContext, here: Span, there: Span): Promise<boolean> {
  if (await isOfMacro(context, there)) return true;
  const [own, other] = [await wordAtStart(context, here), await wordAtStart(context, there)];
  return other !== undefined && other !== own;
}

async function wordAtStart(context: ToolContext, { path, range }: Span): Promise<string | undefined> {
  const { line, character } = range.start;
  return wordAt((await documentAt(context, path))?.line(line) ?? '', character);
}

/** True in the text of a macro of another name, such as `#define wmain main`: what is defined by it has that name too. */
async function isOfMacro(context: ToolContext, { path, range }: Span): Promise<boolean> {
  const document = await documentAt(context, path);
  const word = document && wordAround(document.line(range.start.line), range.start.character)?.text;
  if (word === undefined) return false;
  const macro = macroAt(path, document?.text ?? '', document?.offsetAt(range.start) ?? 0, word);
  return macro !== undefined && macro.name !== word;
}

/** Returns the span of the word at a place. */
async function wordOf(context: ToolContext, { path, position }: Place): Promise<Span | undefined> {
  const { line, character } = position;
  const text = (await documentAt(context, path))?.line(line) ?? '';
  const word = wordAround(text, character);
  if (word === undefined) return undefined;
  const [start, end] = [word.start, word.start + word.text.length];
  return {
    path,
    range: { start: { line, character: start }, end: { line, character: end } },
    standing: 'inside',
  };
}

function startOf({ path, range }: Span): Place {
  return { path, position: range.start };
}
