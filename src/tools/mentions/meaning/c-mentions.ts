import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { limits } from '../../../core/limits.ts';
import { contains, type Range } from '../../../core/position.ts';
import type { OutlineSymbol, Place, Span } from '../../../core/question.ts';
import { cDeclarationAt } from '../../../source-text/c-declarations.ts';
import { isC } from '../../../source-text/c-files.ts';
import { isConditionalMacro, type MacroAround, macroAt } from '../../../source-text/macros.ts';
import { isMadeByMacroAt, isNoNameOfC } from '../../../source-text/names/c-attributes.ts';
import { isNamedToLinker } from '../../../source-text/names/linker-names.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf } from '../definitions-at.ts';
import { SpanSet } from '../span-set.ts';
import type { Meaning } from './imported-symbol.ts';

/**
 * True if a server of C only guessed the definitions of a mention: where the text is not compiled, it takes a word for the
 * nearest one of the same name, but has nothing to say when asked what the word is.
 */
export async function areGuessed(
  { backend }: ToolContext,
  mention: Span,
  definitions: readonly Span[],
  call: Call,
): Promise<boolean> {
  if (!isC(mention.path)) return false;
  const itself = await SpanSet.from([mention]);
  if (definitions.some((one) => itself.meets(one))) return false;
  const place = { path: mention.path, position: mention.range.start };
  return backend.ask({ kind: 'hover', place, textless: true }, call).then(
    ({ answer }) => answer === undefined,
    () => false,
  );
}

/** Returns a doubt about definitions that a server of C only guessed. */
export async function guessDoubts(
  context: ToolContext,
  { path, position }: Place,
  definitions: readonly Span[],
  call: Call,
): Promise<Doubt[]> {
  const here: Span = { path, range: { start: position, end: position }, standing: 'inside' };
  if (definitions.length === 0 || !(await areGuessed(context, here, definitions, call))) return [];
  const detail = 'The server knows no symbol at this place, and names one that is spelt alike.';
  return [{ kind: 'unverified', detail }];
}

/** Returns the macro whose definition contains a mention of a name. */
export async function macroAround(
  context: ToolContext,
  { path, range }: Span,
  name: string,
): Promise<MacroAround | undefined> {
  const document = await documentAt(context, path);
  return document && macroAt(path, document.text, document.offsetAt(range.start), name);
}

interface AskingInC {
  readonly context: ToolContext;
  readonly symbol: { readonly place: Place };
  readonly call: Call;
}

/**
 * Returns what a mention in a string of C for the compiler, the assembler or the linker means, of which the server knows
 * nothing: a function or variable of the name, but no field. `undefined` if it is in none.
 */
export async function meaningInAssembler(
  { path, range }: Span,
  { context, symbol: { place }, call }: AskingInC,
): Promise<Meaning | undefined> {
  const document = isC(path) ? await documentAt(context, path) : undefined;
  if (!document) return undefined;
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  if (!isNamedToLinker(path, document.text, { start, end })) return undefined;
  const here = { start: place.position, end: place.position };
  const own = await definitionsAt(context, { path: place.path, range: here, standing: 'inside' }, call);
  const [first] = own ?? [];
  const outline = first?.standing === 'inside' ? await outlineOf(context, first.path, call) : [];
  return first && isField(outline, first.range) ? 'other_symbol' : 'unverified';
}

function isField(symbols: readonly OutlineSymbol[], { start, end }: Range): boolean {
  return symbols.some(
    ({ kind, selection, children }) =>
      (kind === 'field' && contains(selection, start)) || isField(children, { start, end }),
  );
}

/** True if the text shows a call of C, and no declaration: in C a call may declare what it calls. */
export function isImplicitCall(document: Document | undefined, { start, end }: Range): boolean {
  if (!document || !/\.[chm]$/.test(document.path)) return false;
  const isCalled = /^\s*\(/.test(document.line(end.line).slice(end.character));
  return isCalled && cDeclarationAt(document.path, document.text, document.offsetAt(start)) === undefined;
}

/** True if a name of C is a macro there, but only under a condition: it may be the symbol where that does not hold. */
export async function areConditionalMacros(
  context: ToolContext,
  definitions: readonly Span[],
  name: string,
): Promise<boolean> {
  for (const { path, range } of definitions) {
    const document = isC(path) ? await documentAt(context, path) : undefined;
    if (document && isConditionalMacro(path, document.text, document.offsetAt(range.start), name))
      return true;
  }
  return false;
}

/**
 * True if a server of C answered with the declaration around a mention, as it does in an attribute that takes a function or
 * a type: what it names there is spelt otherwise.
 */
export async function areAround(
  context: ToolContext,
  { path, range }: Span,
  definitions: readonly Span[],
  name: string,
): Promise<boolean> {
  const document = isC(path) ? await documentAt(context, path) : undefined;
  if (!document) return false;
  const { text } = document;
  const word = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  if (isNoNameOfC(path, text, word)) return false;
  for (const one of definitions) {
    const holder = one.standing === 'inside' ? await documentAt(context, one.path) : undefined;
    if (!holder || isSpeltAt(holder, holder.offsetAt(one.range.start), name)) return false;
  }
  return definitions.length > 0;
}

/** True if a definition has a name, or a macro stands there that makes it. */
function isSpeltAt({ text }: Document, offset: number, name: string): boolean {
  const [found = ''] = /^(?:~\s{0,9})?[\w$]*/.exec(text.slice(offset, offset + limits.mentions.ahead)) ?? [];
  return found.replace(/^~\s*/, '') === name || isMadeByMacroAt(text, offset, name);
}
