import type { Visibility } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { betweenSteps, eachInSlices, Pace } from '../../core/runtime/slices.ts';
import { isC } from '../../source-text/c-files.ts';
import { linkAt } from '../../source-text/imports.ts';
import { isContextualKeyword } from '../../source-text/keywords.ts';
import { type Lexical, lexicalAt } from '../../source-text/lexical.ts';
import { isAttributePath } from '../../source-text/macros.ts';
import { mayBeKey } from '../../source-text/members/python-fields.ts';
import { isQuotedKey } from '../../source-text/members/quoted-keys.ts';
import { isInDirective } from '../../source-text/names/go-directives.ts';
import { isNamedToLinker } from '../../source-text/names/linker-names.ts';
import { isFixtureString } from '../../source-text/names/pytest-fixtures.ts';
import { isUnpackedKey } from '../../source-text/names/python-arguments.ts';
import { isInAll, isQuotedType, memberListAt } from '../../source-text/names/python-names.ts';
import { isAskedByName } from '../../source-text/names/reflected-names.ts';
import { isShell, isUsedInShellString } from '../../source-text/names/shell-names.ts';
import { hasOddNames } from '../../source-text/reserved-words.ts';
import { isMember, occurrences } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import type { ImportFollower } from './import-follower.ts';
import { fileScope, localScope } from './local-scope.ts';
import { namesOfEvents } from './markup/names-of-events.ts';
import { namesOfStyles } from './markup/names-of-styles.ts';
import { beyondReach } from './meaning/beyond-reach.ts';
import type { Meaning } from './meaning/imported-symbol.ts';
import { argumentsMeant } from './meaning/python-parameters.ts';
import { resolveMentions } from './meaning/resolve-mentions.ts';
import type { SearchedSymbol } from './meaning/searched-symbol.ts';
import type { FoundMentions, FoundUse, Mention, Reason } from './mentions.ts';
import { namesByMacros } from './names-by-macros.ts';
import { SpanSet } from './span-set.ts';
import { isTypedKey } from './typed-keys.ts';
import { isPage } from './unserved/embedded-imports.ts';
import { namesInAssembler } from './unserved/names-in-assembler.ts';
import { mayBeUnserved, mayUseUnserved } from './unserved/unserved-code.ts';

/** What a search for uses works with. */
export interface Search {
  readonly context: ToolContext;
  readonly follower: ImportFollower;
  readonly call: Call;
}

/** Finds the mentions of a symbol's name that are not known uses, and says what they are. */
export async function searchName(search: Search, symbol: SearchedSymbol): Promise<FoundMentions> {
  const { context, call } = search;
  const { chosen, left } = await filesToSearch(context, symbol, call);
  const named = [
    ...(await namesOfStyles(context, symbol, call)),
    ...(await namesOfEvents(context, symbol, call)),
  ];
  const known = await SpanSet.from([...symbol.references, ...named]);
  const joined = [
    ...named,
    ...(await namesByMacros(context, symbol, call)),
    ...(await namesInAssembler(context, symbol)),
  ];
  const unexplained = await unexplainedIn(context, chosen, symbol.name, known);
  if (unexplained.size === 0) return { found: joined, uses: [], left, unasked: 0 };
  const visibilities = await context.backend.visibility(symbol.place, [...unexplained.keys()]);
  const areKeys = await isTypedKey(context, symbol, call);
  const mayUse = mayUseUnserved(search, symbol);
  const isLinked = isJoinedByLinker(symbol.place.path);
  const isBeyond = await beyondReach(search, symbol);
  const [found, foreign, pace]: [Mention[], Mention[], Pace] = [[], [], new Pace()];
  for (const [path, own] of unexplained) {
    if (pace.isLate()) await pace.rest();
    const told = visibilities.get(path) ?? 'unseen';
    const isEmbedded = told === 'other_language' && (await mayUse(own.document));
    // Where a linker joins languages, the server of the other one knows its own declaration only.
    const list = isEmbedded && (isLinked || isPage(path)) ? foreign : found;
    const visibility = isEmbedded ? 'seen' : told;
    const isOther = await isBeyond(path);
    for (const mention of toMentions(path, own, { visibility, areKeys, isOther })) list.push(mention);
  }
  await betweenSteps(found.length);
  const explained = await explain(search, symbol, found);
  return { ...explained, found: [...explained.found, ...foreign, ...joined], left };
}

/** True for a file whose symbols files of other languages use by their names: a linker joins them, or a shell reads it. */
function isJoinedByLinker(path: string): boolean {
  return isC(path) || isShell(path) || /\.(?:go|rs)$/.test(path);
}

/** Finds out what those of the mentions are that are in code, and adds the uses under the names that imports give. */
export async function explain(
  { context, follower, call }: Search,
  symbol: SearchedSymbol,
  mentions: readonly Mention[],
): Promise<FoundMentions> {
  const unproven = mentions.filter(({ reason }) => reason === 'unverified');
  const unsearched = mentions.filter(({ reason }) => reason === 'not_in_a_project');
  if (unproven.length + unsearched.length === 0) return { found: mentions, uses: [], left: 0, unasked: 0 };
  const scope = (await localScope(context, symbol, call)) ?? (await fileScope(context, symbol));
  const own = scope && (await documentAt(context, scope.path));
  // A variable is no member of anything.
  const isInScope = ({ path, range }: Span) =>
    !scope ||
    (path === scope.path &&
      contains(scope.range, range.start) &&
      !(own && !hasOddNames(path) && isMember(own.line(range.start.line), range.start.character)));
  const outside = unsearched.filter(({ path }) => scope && path !== scope.path);
  const beyond = [...unproven.filter((mention) => !isInScope(mention)), ...outside];
  const given = new Set(scope ? await argumentsMeant(context, symbol, scope, beyond) : []);
  const inCode = unproven.filter((mention) => given.has(mention) || isInScope(mention));
  const known = await SpanSet.from(symbol.references);
  const meanings = await resolveMentions(context, { ...symbol, known, follower }, inCode, call);
  const elsewhere = beyond.filter((mention) => !given.has(mention));
  const others = elsewhere.map((mention): [Span, Meaning] => [mention, 'other_symbol']);
  const resolved = applyMeanings(mentions, new Map([...meanings, ...others]));
  const uses = await withAliases(context, symbol.name, resolved.uses, call);
  return { found: resolved.found, uses, left: 0, unasked: inCode.length - meanings.size };
}

/** Adds the uses under the names that imports give to the symbol. */
async function withAliases(
  context: ToolContext,
  name: string,
  uses: readonly FoundUse[],
  call: Call,
): Promise<readonly FoundUse[]> {
  const aliased: FoundUse[] = [];
  for (const { path, range } of uses.filter(({ isImported }) => isImported)) {
    const document = await documentAt(context, path);
    const local = document && linkAt(path, document.text, document.offsetAt(range.start))?.local;
    if (document === undefined || local === undefined || local.name === name) continue;
    const place = { path, position: document.positionAt(local.offset) };
    const { answer } = await context.backend.ask({ kind: 'references', place }, call);
    for (const span of answer)
      if (span.path === path) aliased.push({ ...span, isImported: true, isAlias: true });
  }
  return aliased.length === 0 ? uses : [...uses, ...aliased];
}

/** If very many files contain the name, those without a known use are searched first. */
async function filesToSearch(
  { workspace, backend }: ToolContext,
  { place, name, references }: SearchedSymbol,
  call: Call,
): Promise<{ readonly chosen: readonly string[]; readonly left: number }> {
  const files = (await workspace.mentioning(name, call)) ?? [];
  if (files.length <= limits.mentions.files) return { chosen: files, left: 0 };
  const used = new Set<string>();
  await eachInSlices(references, ({ path }) => void used.add(path));
  const visibilities = await backend.visibility(place, files);
  const mayUse = (path: string) =>
    visibilities.get(path) !== 'other_language' || mayBeUnserved(path, place.path);
  const unused = files
    .filter((path) => !used.has(path))
    .sort((a, b) => Number(mayUse(b)) - Number(mayUse(a)));
  const chosen = [...new Set([...unused, ...files])].slice(0, limits.mentions.files);
  return { chosen, left: unused.slice(chosen.length).filter(mayUse).length };
}

/** The mentions in one text that are not references. */
interface Unexplained {
  readonly document: Document;
  readonly offsets: readonly number[];
  readonly length: number;
}

async function unexplainedIn(
  context: ToolContext,
  files: readonly string[],
  name: string,
  known: SpanSet,
): Promise<Map<string, Unexplained>> {
  const found = new Map<string, Unexplained>();
  const pace = new Pace();
  for (const path of files) {
    if (pace.isLate()) await pace.rest();
    const document = context.workspace.cached(path) ?? (await documentAt(context, path));
    if (!document) continue;
    const dollar = !isShell(path, document.text);
    const offsets = occurrences(document.text, name, { dollar }).filter(
      (offset) => !known.has(path, document.positionAt(offset)),
    );
    if (offsets.length > 0) found.set(path, { document, offsets, length: name.length });
  }
  return found;
}

/** What is known of a file before the server is asked. */
interface FileFacts {
  readonly visibility: Visibility;
  /** The symbol may be a key in strings. */
  readonly areKeys: boolean;
  /** Its code cannot name the symbol. */
  readonly isOther: boolean;
}

function toMentions(
  path: string,
  { document, offsets, length }: Unexplained,
  { visibility, areKeys, isOther }: FileFacts,
): Mention[] {
  const kinds = visibility === 'other_language' ? [] : lexicalAt(path, document.text, offsets);
  return offsets.map((offset, index) => {
    const start = document.positionAt(offset);
    const range = { start, end: { line: start.line, character: start.character + length } };
    const word = { start: offset, end: offset + length };
    const isKey = areKeys && kinds[index] === 'string' && mayBeKey(path, document.text, word);
    const kind = isKey ? 'code' : meaningfulKind(document, word, kinds[index]);
    if (isOther && kinds[index] === 'code')
      return { path, range, standing: 'inside', reason: 'other_symbol' };
    return { path, range, standing: 'inside', reason: reasonFor(visibility, kind) };
  });
}

/** A string may name something for a macro, or a type, and a word of code may be a keyword. */
function meaningfulKind(
  document: Document,
  { start, end }: { readonly start: number; readonly end: number },
  kind: Lexical | undefined,
): Lexical | 'keyword' | undefined {
  const { path, text } = document;
  if (kind === 'string') {
    return namings.some((isName) => isName(path, text, { start, end })) ? 'code' : kind;
  }
  if (kind === 'comment' && isInDirective(path, text, { start, end })) return 'code';
  if (kind !== 'code') return kind;
  const { line, character } = document.positionAt(start);
  const word = { start: character, text: text.slice(start, end) };
  return isContextualKeyword(path, document.line(line), word) ? 'keyword' : kind;
}

/** What tells a string that names something from other texts. */
const namings = [
  isAttributePath,
  isQuotedType,
  isInAll,
  isAskedByName,
  isQuotedKey,
  isFixtureString,
  isNamedToLinker,
  isUnpackedKey,
  isUsedInShellString,
  (...word: Parameters<typeof memberListAt>) => memberListAt(...word) !== undefined,
] as const;

function reasonFor(visibility: Visibility, kind: Lexical | 'keyword' | undefined): Reason {
  if (visibility === 'other_language') return 'other_language';
  if (kind === 'keyword') return 'other_symbol';
  if (kind === 'comment' || kind === 'string') return kind;
  return visibility === 'unseen' ? 'not_in_a_project' : 'unverified';
}

function applyMeanings(
  mentions: readonly Mention[],
  meanings: ReadonlyMap<Span, Meaning>,
): Pick<FoundMentions, 'found' | 'uses'> {
  const [found, uses]: [Mention[], FoundUse[]] = [[], []];
  for (const mention of mentions) {
    const meaning = meanings.get(mention);
    const { reason, ...span } = mention;
    if (meaning === 'use') uses.push(span);
    else if (meaning === 'imported_use') uses.push({ ...span, isImported: true });
    else found.push(meaning === undefined ? mention : { ...span, reason: meaning });
  }
  return { found, uses };
}
