import { type Call, cancelSignalOf, withinPart } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { comparePositions, contains } from '../../../core/position.ts';
import type { OutlineSymbol, Span } from '../../../core/question.ts';
import { inParallel } from '../../../core/runtime/in-parallel.ts';
import { areCandidates } from '../../../source-text/c-files.ts';
import {
  isShorthand,
  isShorthandField,
  isTakenFromCall,
  isTakenInto,
} from '../../../source-text/destructuring.ts';
import { isKeywordArgument, isOfRuntime, isPython, linkAt } from '../../../source-text/imports.ts';
import { isTypeKeyword } from '../../../source-text/keywords.ts';
import { onlyImportOf, pythonReceiverAt } from '../../../source-text/names/python-names.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { PlausibleGuesses } from '../../../workspace/texts/plausible-guesses.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import { definitionsAt, outlineOf } from '../definitions-at.ts';
import { likelyFirst } from '../likely-first.ts';
import { ComponentProps } from '../markup/component-props.ts';
import { groupAlike } from './alike.ts';
import {
  areAround,
  areConditionalMacros,
  areGuessed,
  isImplicitCall,
  macroAround,
  meaningInAssembler,
} from './c-mentions.ts';
import { Expansions } from './expansions.ts';
import { exportedMeaning, isOneOfBindings } from './exported-name.ts';
import { Fixtures } from './fixtures.ts';
import { Fragments } from './fragments.ts';
import { ImportedSymbol, type Meaning } from './imported-symbol.ts';
import { keyMeaning } from './key-meaning.ts';
import { foreignMeaning, memberMeaning } from './member-meaning.ts';
import { OwnClass } from './own-class.ts';
import { isNoParameter, isTakenByAny } from './python-parameters.ts';
import { isComputedKey, quotedMeaning } from './quoted-key.ts';
import { Relatives } from './relatives.ts';
import { isAtTop, type Knowledge, othersThan, type Resolving } from './resolving.ts';
import type { SearchedSymbol } from './searched-symbol.ts';
import { UnresolvedImports } from './unresolved-imports.ts';

/** Asks the server what stands at each mention, as far as time allows: the others have no meaning in the result. */
export async function resolveMentions(
  context: ToolContext,
  { known, follower, ...symbol }: SearchedSymbol & Knowledge,
  mentions: readonly Span[],
  call: Call,
): Promise<ReadonlyMap<Span, Meaning>> {
  const imported = new ImportedSymbol(follower, known);
  const { path, position } = symbol.place;
  const here: Span = { path, range: { start: position, end: position }, standing: 'inside' };
  const declarations = async (part: Call) => (await definitionsAt(context, here, part)) ?? [];
  const relatives = new Relatives(context, follower, symbol.name, declarations);
  const unresolved = new UnresolvedImports(context, follower);
  const fixtures = new Fixtures(context, symbol);
  const props = new ComponentProps(context, follower, symbol);
  const ownClass = new OwnClass(context, symbol);
  const fragments = new Fragments(context);
  const expansions = new Expansions(context, symbol.name, symbol.references);
  const guesses = new PlausibleGuesses((file) => documentAt(context, file), symbol.references);
  const meanings = new Map<Span, Meaning>();
  const groups = await groupAlike(context, await likelyFirst(context, symbol.place, mentions));
  await withinPart(call, { share: limits.shares.mentions, isBeside: true }, async (part) => {
    const resolving = {
      context,
      symbol,
      known,
      follower,
      imported,
      relatives,
      unresolved,
      fixtures,
      props,
      ownClass,
      fragments,
      guesses,
      expansions,
      call: part,
    };
    await inParallel(groups.slice(0, limits.mentions.resolved), limits.mentions.atOnce, async (alike) => {
      if (cancelSignalOf(part).aborted) return;
      const meaning = await resolving.props.withSpreads(alike[0], await meaningOf(alike[0], resolving), part);
      if (!cancelSignalOf(part).aborted) for (const one of alike) meanings.set(one, meaning);
    });
  });
  cancelSignalOf(call).throwIfAborted();
  return meanings;
}

async function meaningOf(mention: Span, resolving: Resolving): Promise<Meaning> {
  const { context, known, call } = resolving;
  const unasked = await meaningUnasked(mention, resolving);
  if (unasked) return unasked;
  const definitions = await definitionsAt(context, mention, call);
  if (definitions === undefined) return (await foreignMeaning(mention, resolving)) ?? 'unverified';
  const isUnknown =
    definitions.length === 0 ||
    (await isTakenByAny(context, mention, definitions)) ||
    (await isComputedKey(mention, resolving));
  if (isUnknown) return undefinedMeaning(mention, resolving);
  const met = definitions.filter((one) => known.meets(one));
  if (met.length > 0) return metMeaning(mention, { definitions, met }, resolving);
  const asked =
    (await resolving.fixtures.meaningOf(mention)) ??
    (await correspondingMeaning(mention, definitions, resolving));
  if (asked) return asked;
  if (await isOneOfBindings(mention, resolving)) return 'unverified';
  if (await areRebound(definitions, resolving)) return 'unverified';
  if (await isImplicit(mention, definitions, resolving)) return 'unverified';
  const taken =
    (await takenMeaning(mention, definitions, resolving)) ??
    (await keyMeaning(mention, definitions, resolving));
  if (taken) return taken;
  const meanings = await Promise.all(
    definitions.map(
      async (one) => (await takenElsewhere(mention, one, resolving)) ?? definedMeaning(one, resolving),
    ),
  );
  const found = weightiest.find((meaning) => meanings.includes(meaning));
  if (found) return found;
  if (await areConditionalMacros(context, definitions, resolving.symbol.name)) return 'unverified';
  if (await areAround(context, mention, definitions, resolving.symbol.name)) return 'unverified';
  const isGuess = await areGuessed(context, mention, definitions, call);
  return isGuess ? undefinedMeaning(mention, resolving) : 'other_symbol';
}

/** Returns what a mention means about which the server is not asked: it reads something else there, or knows less than the text. */
async function meaningUnasked(mention: Span, resolving: Resolving): Promise<Meaning | undefined> {
  // A server that opens a part of a file no longer knows it as a part.
  if (await isReadAlone(mention, resolving)) return 'unverified';
  return (
    (await meaningInAssembler(mention, resolving)) ??
    (await resolving.expansions.meaningOf(mention)) ??
    resolving.props.meaningOf(mention)
  );
}

/** Returns what a call of Go means that an interface joins with the method: gopls lists such calls in other packages only. */
async function correspondingMeaning(
  mention: Span,
  definitions: readonly Span[],
  { relatives, call }: Resolving,
): Promise<Meaning | undefined> {
  if (!mention.path.endsWith('.go')) return undefined;
  const others = await othersThan(mention, definitions);
  const found = await Promise.all(others.map((one) => relatives.corresponds(one, call)));
  if (found.includes('unknown')) return 'unverified';
  return found.includes('yes') ? 'use' : undefined;
}

/** True if a definition is another value of the attribute that the symbol is: it may be the same attribute. */
async function areRebound(definitions: readonly Span[], { ownClass }: Resolving): Promise<boolean> {
  return (await Promise.all(definitions.map((one) => ownClass.binds(one)))).includes(true);
}

/** Returns what a mention means of which the server says that it is the symbol, or may be. */
async function metMeaning(
  mention: Span,
  { definitions, met }: { readonly definitions: readonly Span[]; readonly met: readonly Span[] },
  resolving: Resolving,
): Promise<Meaning> {
  const { context, guesses, call } = resolving;
  if (areCandidates(mention.path, definitions)) return 'unverified';
  const isGuess =
    !(await guesses.include(mention)) && (await areGuessed(context, mention, definitions, call));
  if (isGuess) return undefinedMeaning(mention, resolving);
  return (await areShorthand(met, resolving)) ? 'other_symbol' : 'use';
}

/** True if the server may take the mention, or the symbol, for something else than it is among the text around it. */
async function isReadAlone({ path }: Span, { symbol, fragments, call }: Resolving): Promise<boolean> {
  const holders = [path, symbol.place.path].map((file) => fragments.holderOf(file, call));
  return (await Promise.all(holders)).some((holder) => holder !== undefined);
}

/** A member of another class may be that of a common base which the server cannot see. */
async function definedMeaning(definition: Span, resolving: Resolving): Promise<Meaning> {
  const { imported, relatives, call } = resolving;
  const meaning = await imported.meaningOf(definition);
  if (meaning === 'unverified' && (await isNoMember(definition, resolving))) return 'other_symbol';
  if (meaning !== 'other_symbol') return meaning;
  return (await relatives.mayHave(definition, call)) ? 'unverified' : meaning;
}

/** Returns what a mention means for which the server knows no definition, as far as the text shows it. */
async function undefinedMeaning(mention: Span, resolving: Resolving): Promise<Meaning> {
  const meaning =
    (await exportedMeaning(mention, resolving)) ??
    (await resolving.fixtures.meaningOf(mention)) ??
    (await resolving.ownClass.listedMeaning(mention, resolving.known)) ??
    (await importedMeaning(mention, resolving)) ??
    (await memberMeaning(mention, resolving)) ??
    (await quotedMeaning(mention, resolving)) ??
    (await boundMeaning(mention, resolving));
  if (meaning) return meaning;
  const taken = await takenOutMeaning(mention, resolving);
  if (taken) return taken;
  const isOther =
    (await isDeclared(mention, resolving)) ||
    (await isOfMacro(mention, resolving)) ||
    (await isOfOther(mention, resolving));
  return isOther ? 'other_symbol' : 'unverified';
}

/** Returns what a name in an import means. */
async function importedMeaning(mention: Span, resolving: Resolving): Promise<Meaning | undefined> {
  const meaning = await resolving.imported.meaningAt(mention);
  return meaning === 'unverified' && (await isNoMember(mention, resolving)) ? 'other_symbol' : meaning;
}

/** True in an import, if the symbol is a member of a class or a type: only a module that is one value has members to import. */
async function isNoMember({ path, range }: Span, resolving: Resolving): Promise<boolean> {
  const { context, follower, relatives, call } = resolving;
  const document = await documentAt(context, path);
  const link = document && linkAt(path, document.text, document.offsetAt(range.start));
  if (!link || link.module.startsWith('#') || !(await relatives.isMember(call))) return false;
  const packages = await follower.packages();
  const sources = packages.sources(link.module, path);
  if (sources.length === 0) return plainPackage.test(link.module) || packages.isForeign(link.module, path);
  const texts = await Promise.all(sources.map(async (one) => (await documentAt(context, one))?.text ?? ''));
  return !isPython(path) && !texts.some((text) => oneValue.test(text));
}

/** A name as packages have; with a path behind it, it may be an alias of a bundler. */
const plainPackage = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*$/;
const oneValue = /\bexport\s*=|\bexports\s*(?:[.=[]|$)|\bexport\s+(?:const|let|var)\s*[{[]/m;
const weightiest: readonly Meaning[] = ['imported_use', 'unverified'];

/** True if the mention is the name of a declaration: some servers find no definition there. */
async function isDeclared({ path, range }: Span, { context, call }: Resolving): Promise<boolean> {
  // Rust knows no definition of what is not compiled here: it may be the same function for another system.
  if (path.endsWith('.rs')) return false;
  return declares(await outlineOf(context, path, call), range);
}

/** True if a call of C declares what it calls, since no header that is read does: it may be the function of any file. */
async function isImplicit(
  mention: Span,
  definitions: readonly Span[],
  resolving: Resolving,
): Promise<boolean> {
  if (!isImplicitCall(await documentAt(resolving.context, mention.path), mention.range)) return false;
  const others = await othersThan(mention, definitions);
  return others.length === 0 && !(await isDeclared(mention, resolving));
}

/** Some servers take the type of a parameter for a part of its name. */
function declares(symbols: readonly OutlineSymbol[], { start, end }: Span['range']): boolean {
  return symbols.some(
    ({ selection, children }) =>
      (comparePositions(selection.start, start) === 0 && contains(selection, end)) ||
      declares(children, { start, end }),
  );
}

/**
 * True if the known uses are properties and variables at once, but not where the symbol was asked about: the variable in
 * `const { id } = this` is not the property, and the property in `{ id }` is not the variable.
 */
async function areShorthand(
  uses: readonly Span[],
  { context, symbol: { place } }: Resolving,
): Promise<boolean> {
  for (const { path, range } of uses) {
    const document = await documentAt(context, path);
    if (!document || (path === place.path && contains(range, place.position))) return false;
    const offset = document.offsetAt(range.start);
    if (!isShorthand(path, document.text, offset) && !isShorthandField(path, document.text, offset))
      return false;
  }
  return true;
}

/** True if the mention is in a macro that cannot mean the symbol. */
async function isOfMacro(mention: Span, resolving: Resolving): Promise<boolean> {
  const {
    context,
    symbol: { name, references },
  } = resolving;
  const { path } = mention;
  const macro = await macroAround(context, mention, name);
  if (!macro) return false;
  // A macro of Rust means what is known where it is defined, but never a variable of a function that uses it.
  if (path.endsWith('.rs')) return isVariable(resolving);
  // A macro of C means what is known where it is used.
  const [only, ...others] = new Set(references.map((span) => span.path));
  const text = only === undefined || others.length > 0 ? undefined : (await documentAt(context, only))?.text;
  return text !== undefined && occurrences(text, macro.name).length === 0;
}

/** True if the symbol is in no outline: it is a variable of a function. */
async function isVariable({ context, symbol: { place }, call }: Resolving): Promise<boolean> {
  const { path, position } = place;
  const here: Span = { path, range: { start: position, end: position }, standing: 'inside' };
  const [definition] = (await definitionsAt(context, here, call)) ?? [];
  if (definition?.standing !== 'inside') return false;
  const outline = await context.outlines.of(context, definition.path, call).catch(() => undefined);
  return outline !== undefined && !declares(outline.answer, definition.range);
}

/** True if the text alone shows that the mention is of the language or the runtime, or names an argument of a call. */
async function isOfOther({ path, range }: Span, { context, symbol }: Resolving): Promise<boolean> {
  const document = await documentAt(context, path);
  if (document === undefined) return false;
  const offset = document.offsetAt(range.start);
  if (isTypeKeyword(path, document.text, { start: offset, text: symbol.name })) return true;
  if (isKeywordArgument(path, document.text, offset)) return isNoParameter(context, symbol);
  return isOfRuntime(path, document.text, offset);
}

/** Returns what a name of Python means that only an import binds, or a member of such a name. */
async function boundMeaning(
  { path, range }: Span,
  { context, imported }: Resolving,
): Promise<Meaning | undefined> {
  const document = await documentAt(context, path);
  if (!document) return undefined;
  const { text } = document;
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const name = text.slice(start, end);
  const receiver = pythonReceiverAt(path, text, start);
  // A member of something else is not the name itself.
  if (receiver === undefined && text[start - 1] === '.') return undefined;
  const link = onlyImportOf(path, text, receiver ?? name);
  if (!link) return undefined;
  if (receiver !== undefined) return imported.memberMeaning(document, link.start, name);
  const position = document.positionAt(link.start);
  return imported.meaningAt({ path, range: { start: position, end: position } });
}

/**
 * Returns what a mention means that takes a member out of a value of unknown type: `connect` in
 * `const { connect } = client`. `undefined` if it does not.
 */
async function takenMeaning(
  mention: Span,
  definitions: readonly Span[],
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const document = await documentAt(resolving.context, mention.path);
  const offset = document?.offsetAt(mention.range.start) ?? 0;
  if (!document || !(await isTaken(document, offset, mention, definitions))) return undefined;
  const meaning = await memberMeaning(mention, resolving);
  return meaning ?? ((await isNoPart(document, offset, resolving)) ? undefined : 'unverified');
}

/** True if the symbol is no member of the value from which the name at an offset is taken; a call may return a module. */
async function isNoPart({ path, text }: Document, offset: number, resolving: Resolving): Promise<boolean> {
  return !isTakenFromCall(path, text, offset) && isAtTop(resolving);
}

/** A server knows of no other definition of a member of unknown type than the name that it gets. */
async function isTaken(
  { path, text }: Document,
  offset: number,
  mention: Span,
  definitions: readonly Span[],
): Promise<boolean> {
  if (isTakenInto(path, text, offset)) return definitions.every((one) => one.path === path);
  if (!isShorthand(path, text, offset) || (await othersThan(mention, definitions)).length > 0) return false;
  return linkAt(path, text, offset) === undefined;
}

/** Returns what a mention means that takes a member out of an object; `undefined` if it does not. */
async function takenOutMeaning({ path, range }: Span, resolving: Resolving): Promise<Meaning | undefined> {
  const document = await documentAt(resolving.context, path);
  const offset = document?.offsetAt(range.start) ?? 0;
  if (!document || !isShorthand(path, document.text, offset)) return undefined;
  return (await isNoPart(document, offset, resolving)) ? 'other_symbol' : 'unverified';
}

/** Like `takenMeaning`, for a use of the name that a destructuring in the same file gives to the member. */
async function takenElsewhere(
  mention: Span,
  definition: Span,
  resolving: Resolving,
): Promise<Meaning | undefined> {
  const { context, call } = resolving;
  if (definition.path !== mention.path || definition.standing !== 'inside') return undefined;
  const document = await documentAt(context, definition.path);
  const offset = document?.offsetAt(definition.range.start) ?? 0;
  if (!document || !isShorthand(definition.path, document.text, offset)) return undefined;
  return takenMeaning(definition, (await definitionsAt(context, definition, call)) ?? [], resolving);
}
