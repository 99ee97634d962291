import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/position.ts';
import type { OutlineSymbol, Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { accompaniesCode } from '../../source-text/beside-code.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { cDefinitions } from './c-definitions.ts';
import { ambiguous, type Candidate, describeCandidates, toCandidates } from './candidate.ts';
import { asDoubts, findByName, type NameSearchResult } from './find-by-name.ts';
import { endsWith, isNameOnly, type Match, matchOutline, type WantedSymbol } from './match-symbols.ts';
import { firstPlace } from './near-name.ts';
import { notOneName, unverifiedError } from './no-answer.ts';
import { notInFile } from './position-errors.ts';
import { distinctSymbols, distinctUses } from './same-symbol.ts';
import { partsOfHolder, readSymbolPath } from './symbol-path.ts';
import type { Located, Strictness, Target } from './target-fields.ts';

/** Finds a symbol by name: in a file by its outline, then by its first use; without a file, in the workspace. */
export async function locateByName(
  context: ToolContext,
  target: Target,
  call: Call,
  { exact = false }: Strictness,
): Promise<Located> {
  const wanted: WantedSymbol = { ...readSymbolPath(target.symbol_name ?? ''), kind: target.symbol_kind };
  if (target.file_path === undefined) return locateInWorkspace(context, wanted, call, exact);
  const path = await context.workspace.resolve(target.file_path);
  const document = await context.workspace.read(path);
  const { answer: outline, doubts } = await outlineIfAny(context, path, call);
  const file = { path, shown: context.workspace.show(path) };
  const matches = matchOutline(outline, wanted, file);
  const candidates = await distinctSymbols(context, await toCandidates(context, matches), call);
  const [only, second] = candidates;
  if (second) throw await ambiguous(context, wanted.given, candidates, call);
  if (only) return { ...only, doubts: [] };
  const use = firstUse(document, wanted.name);
  if (!use && !exact && (await isMentioned(context, wanted, call)))
    return locateElsewhere(context, wanted, path, call);
  if (!use) throw notInFile(document, wanted.name, exact ? inWorkspace : nowhere);
  const member = isMember(wanted) ? await locateMember(context, wanted, path, call, exact) : undefined;
  if (member) return member;
  const isSure = doubts.length === 0 && !isNameOnly(wanted);
  const namesakes = isSure ? matchOutline(outline, nameOnly(wanted), file) : [];
  const others = await onlyNamesakes(context, noneInFile(wanted), wanted, namesakes, call);
  if (others) throw others;
  if (!isNameOnly(wanted) || exact) throw notDefined(wanted, doubts, exact);
  return { ...use, doubts };
}

/** Finds a member of a file that its outline leaves out. */
async function locateMember(
  context: ToolContext,
  wanted: WantedSymbol,
  path: string,
  call: Call,
  exact: boolean,
): Promise<Located | undefined> {
  const found = await locateAmong(context, wanted, [path], call, exact);
  if ('place' in found) return found;
  const held = await locateHeld(context, wanted, [path], call, exact);
  return held && { ...held, doubts: found.doubts };
}

/** Outlines leave out some members, such as those that the constructor of a class of JavaScript makes. */
function isMember({ holders, kind, overload }: WantedSymbol): boolean {
  return holders.length > 0 && kind === undefined && overload === undefined;
}

const inWorkspace = 'Omit `file_path` to search the workspace.';
const nowhere =
  'Check the name: no file of the workspace mentions it. Ignored files and libraries are not searched.';

async function isMentioned({ workspace }: ToolContext, { name }: WantedSymbol, call: Call): Promise<boolean> {
  const files = await workspace.mentioning(name, call);
  return files !== undefined && files.length > 0;
}

/** Finds a symbol whose name does not occur in the given file, and says that it was found elsewhere. */
async function locateElsewhere(
  context: ToolContext,
  wanted: WantedSymbol,
  path: string,
  call: Call,
): Promise<Located> {
  const located = await locateInWorkspace(context, wanted, call, false);
  const file = context.workspace.show(path);
  const { line, character } = toLineColumn(located.place.position);
  const where = `${context.workspace.show(located.place.path)}:${line}:${character}`;
  const adjusted = `${JSON.stringify(wanted.given)} at ${where}, since ${file} does not have it`;
  return { ...located, adjusted: [adjusted, located.adjusted].filter(Boolean).join('; ') };
}

/** Returns an empty outline if the server has none: it may still answer questions about names in the file. */
export async function outlineIfAny(
  context: ToolContext,
  path: string,
  call: Call,
): Promise<Reply<readonly OutlineSymbol[]>> {
  return context.outlines.of(context, path, call).catch((thrown: unknown) => {
    if (asLspanError(thrown).code !== 'not_supported') throw thrown;
    return { answer: [], doubts: [] };
  });
}

function notDefined(wanted: WantedSymbol, doubts: readonly Doubt[], exact: boolean): LspanError {
  if (doubts.length > 0)
    return unverifiedError(`No definition of ${withKind(wanted)} was found in this file`, doubts);
  return new LspanError('not_found', noneInFile(wanted), {
    nextStep: exact
      ? 'Omit `file_path`, or give `line` and `character` of the name.'
      : 'Give the bare name for its first use in this file, or omit `file_path`.',
  });
}

function noneInFile(wanted: WantedSymbol): string {
  return `This file defines no ${withKind(wanted)}.`;
}

function withKind({ given, kind }: WantedSymbol): string {
  return kind ? `${kind} ${JSON.stringify(given)}` : JSON.stringify(given);
}

function firstUse(document: Document, name: string): Located | undefined {
  const position = firstPlace(document, name);
  if (!position) return undefined;
  const { line, character } = toLineColumn(position);
  const adjusted = `the first use of ${JSON.stringify(name)} in the file, at ${line}:${character}`;
  return { place: { path: document.path, position }, name, adjusted, doubts: [] };
}

/** Finds a symbol by its name alone. Only servers of files whose text mentions the name are asked. */
async function locateInWorkspace(
  context: ToolContext,
  wanted: WantedSymbol,
  call: Call,
  exact: boolean,
): Promise<Located> {
  const mentioning = await context.workspace.mentioning(wanted.name, call);
  if (mentioning?.length === 0)
    throw notMentioned(wanted, await context.workspace.resembling(wanted.name, call));
  const files = mentioning && (await likelyFirst(context, mentioning, wanted, call));
  const missed: NameSearchResult[] = [];
  for (const some of searchedInTurn(files)) {
    const found = await locateAmong(context, wanted, some, call, exact);
    if ('place' in found) return { ...found, doubts: uniqueDoubts([...doubtsOf(missed), ...found.doubts]) };
    missed.push(found);
  }
  const failures = missed.flatMap(({ failure }) => failure ?? []);
  // Where nobody could be asked about code, what is beside it does not matter.
  const isCodeUnknown = failures[0] === missed[0]?.failure && failures[0]?.code !== 'not_supported';
  const failure = failures.find(({ code }) => code !== 'not_supported') ?? failures[0];
  if (failure && (isCodeUnknown || failures.length === missed.length))
    throw await notRead(context, wanted, files ?? [], failure, call);
  const defined = await cDefinitions(context, wanted.name, files ?? []);
  if (defined.length > 0) throw notCompiled(context, wanted, defined);
  const doubts = doubtsOf(missed);
  const held = await locateHeld(context, wanted, files, call, exact);
  if (held) return { ...held, doubts: missed[0]?.doubts ?? [] };
  const namesakes = await elsewhere(context, wanted, files, call, doubts);
  throw namesakes ?? noneFound(wanted, missed);
}

/** Returns why searches that found nothing may have missed something. */
function doubtsOf(missed: readonly NameSearchResult[]): readonly Doubt[] {
  return uniqueDoubts(
    missed.flatMap(({ doubts, failure }) => [...doubts, ...(failure ? asDoubts(failure) : [])]),
  );
}

/** What code declares or uses is meant before a heading or a key of the same name beside it. */
function searchedInTurn(files: readonly string[] | undefined): readonly (readonly string[] | undefined)[] {
  const code = files?.filter((path) => !accompaniesCode(path)) ?? [];
  const beside = files?.filter(accompaniesCode) ?? [];
  return code.length === 0 || beside.length === 0 ? [files] : [code, beside];
}

/** Finds a symbol by its name among some files; else returns why there may be one. */
async function locateAmong(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
  exact: boolean,
): Promise<Located | NameSearchResult> {
  const search = await findByName(context, wanted, files, call);
  const { answer, doubts, failure } = search;
  const candidates = await distinctSymbols(context, await toCandidates(context, answer), call);
  const [only, ...others] = candidates;
  if (others.length > 0) throw await ambiguous(context, wanted.given, candidates, call, doubts);
  if (only) return { ...only, doubts };
  if (failure || !isNameOnly(wanted) || exact) return search;
  const use = await locateUse(context, wanted, files ?? [], call);
  return use ? { ...use, doubts } : search;
}

/** Puts files that also mention the innermost holder first, since only some of many files are searched. */
async function likelyFirst(
  { workspace }: ToolContext,
  files: readonly string[],
  { holders }: WantedSymbol,
  call: Call,
): Promise<readonly string[]> {
  const holder = holders.at(-1);
  const likely = holder === undefined ? undefined : await workspace.mentioning(holder, call);
  if (!likely) return files;
  const first = new Set(likely);
  return [...files.filter((path) => first.has(path)), ...files.filter((path) => !first.has(path))];
}

/** Finds a name that is defined outside, or inside a function, by its uses, if they all mean the same symbol. */
async function locateUse(
  context: ToolContext,
  { given, name }: WantedSymbol,
  files: readonly string[],
  call: Call,
): Promise<Omit<Located, 'doubts'> | undefined> {
  const uses = await Promise.all(
    files.slice(0, limits.candidates.asked).map(async (path): Promise<readonly Candidate[]> => {
      const document = await context.workspace.read(path).catch(() => undefined);
      const position = document && firstPlace(document, name);
      return position ? [{ place: { path, position }, name }] : [];
    }),
  );
  const different = await distinctUses(context, uses.flat(), call);
  const [only, ...others] = different;
  if (!only) return undefined;
  if (others.length > 0) throw await ambiguous(context, given, different, call);
  const { line, character } = toLineColumn(only.place.position);
  const where = `${context.workspace.show(only.place.path)}:${line}:${character}`;
  return { ...only, adjusted: `the use of ${JSON.stringify(name)} at ${where}` };
}

/**
 * Finds the only symbol of a name whose text is inside its holder: servers list some members without it, such as those of a
 * type that joins others. Else the only one in the files of a package: `click.Command` is in `click/core.py`.
 */
async function locateHeld(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
  exact: boolean,
): Promise<(Candidate & Pick<Located, 'adjusted'>) | undefined> {
  if (exact || !isMember(wanted)) return undefined;
  const { answer } = await findByName(context, nameOnly(wanted), files, call);
  const candidates = await toCandidates(context, answer);
  if (candidates.length > limits.candidates.described) return undefined;
  const described = await describeCandidates(context, candidates, call);
  const held = candidates.filter((_, index) =>
    endsWith(partsOfHolder(described[index]?.in ?? ''), wanted.holders),
  );
  if (held.length > 0) return held.length === 1 ? held[0] : undefined;
  const folders = `/${wanted.holders.join('/')}/`;
  const packaged = described.filter((one) => one.in === undefined && `/${one.id}`.includes(folders));
  const [only, ...others] = packaged;
  if (!only || others.length > 0) return undefined;
  const candidate = candidates[described.indexOf(only)];
  return candidate && { ...candidate, adjusted: `\`${only.id}\`` };
}

/** Returns the error for a name that only symbols of another holder or kind have. */
async function elsewhere(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
  /** Why there may be others. */
  doubts: readonly Doubt[],
): Promise<LspanError | undefined> {
  if (wanted.holders.length === 0 && wanted.kind === undefined) return undefined;
  const { answer } = await findByName(context, nameOnly(wanted), files, call);
  const message = [noneInWorkspace(wanted), ...doubts.map(({ detail }) => detail)].join(' ');
  return onlyNamesakes(context, message, wanted, answer, call);
}

function nameOnly({ name }: WantedSymbol): WantedSymbol {
  return { given: name, holders: [], name };
}

/** Returns the error for a symbol that does not exist, if there are others of its name: lists them. */
async function onlyNamesakes(
  context: ToolContext,
  message: string,
  { name }: WantedSymbol,
  namesakes: readonly Match[],
  call: Call,
): Promise<LspanError | undefined> {
  const found = await toCandidates(context, namesakes);
  if (found.length === 0) return undefined;
  const candidates = await describeCandidates(context, found.slice(0, limits.candidates.atPosition), call);
  return new LspanError('not_found', `${message} These are named ${JSON.stringify(name)}:`, {
    candidates,
    nextStep: 'Call again with just the `id` of the right one.',
  });
}

function notCompiled(
  { workspace }: ToolContext,
  { name }: WantedSymbol,
  defined: readonly Span[],
): LspanError {
  const where = namePlaces(workspace, defined);
  return new LspanError(
    'server_unverified',
    `No server knows ${JSON.stringify(name)}: the text defines it where it is not compiled: ${where}`,
    { nextStep: 'Read those places, and search the text for uses.' },
  );
}

function notMentioned({ given, name }: WantedSymbol, near: readonly string[]): LspanError {
  const other = near.length === 0 ? notOneName(given) : undefined;
  if (other) return other;
  const what = JSON.stringify(name === given ? given : name);
  return new LspanError('not_found', `No file of the workspace mentions ${what}.`, {
    nextStep:
      near.length > 0
        ? didYouMean(near)
        : 'Check the name; ignored files and libraries are not searched. search_workspace_symbols finds parts of names.',
  });
}

/** Adds to an error which files mention the name, if no server can look into them: they may be documents only. */
async function notRead(
  { workspace }: ToolContext,
  { name }: WantedSymbol,
  files: readonly string[],
  failure: LspanError,
  call: Call,
): Promise<LspanError> {
  const { code, message, nextStep } = failure;
  if (files.length === 0 || (code !== 'not_supported' && code !== 'not_installed')) return failure;
  const isCode = code === 'not_installed' && !files.every(accompaniesCode);
  const near = isCode ? [] : (await workspace.resembling(name, call)).filter((word) => word !== name);
  const where = nameSome(files.map((path) => workspace.show(path)));
  const only = `Only ${where} mention${files.length === 1 ? 's' : ''} the name.`;
  return new LspanError(code, `${only} ${message}`, {
    cause: failure,
    ...(near.length > 0 ? { nextStep: didYouMean(near) } : nextStep !== undefined && { nextStep }),
  });
}

function didYouMean(near: readonly string[]): string {
  return `Did you mean ${near.map((word) => `\`${word}\``).join(' or ')}?`;
}

function noneInWorkspace({ given, kind }: WantedSymbol): string {
  return `No ${kind ?? 'symbol'} named ${JSON.stringify(given)} is known in the workspace.`;
}

/** Returns the error if all searches found nothing. A heading or a key beside the code is seldom meant. */
function noneFound(wanted: WantedSymbol, missed: readonly NameSearchResult[]): LspanError {
  const doubts = doubtsOf(missed);
  const isCodeKnown = missed.length > 1 && doubtsOf(missed.slice(0, 1)).length === 0;
  return isCodeKnown ? noneKnown(wanted, doubts) : notFound(wanted, doubts);
}

function noneKnown(wanted: WantedSymbol, doubts: readonly Doubt[]): LspanError {
  const message = [noneInWorkspace(wanted), ...doubts.map(({ detail }) => detail)].join(' ');
  return (
    notOneName(wanted.given) ??
    new LspanError('not_found', message, {
      nextStep: 'Give the `file_path` where it is used, or a part of the name to search_workspace_symbols.',
    })
  );
}

function notFound(wanted: WantedSymbol, doubts: readonly Doubt[]): LspanError {
  const { given, kind } = wanted;
  const what = `${kind ?? 'symbol'} named ${JSON.stringify(given)}`;
  if (/^\*|\w\*$/.test(given)) {
    return new LspanError('not_found', `No ${what} is known in the workspace: a name is no pattern.`, {
      nextStep: 'Give a whole name, or a part of one to search_workspace_symbols.',
    });
  }
  const other = notOneName(given);
  if (other) return other;
  if (doubts.length === 0) return noneKnown(wanted, doubts);
  const otherwise = 'Or give the `file_path` where it is used.';
  return unverifiedError(`No ${what} was found`, doubts, { otherwise });
}
