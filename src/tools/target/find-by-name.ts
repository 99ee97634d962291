import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf, withinPart, withinShare } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError, type LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { cDefinitions } from './c-definitions.ts';
import {
  isNameOnly,
  type Match,
  matchFound,
  matchOutline,
  minorKinds,
  type WantedSymbol,
} from './match-symbols.ts';

/** The result of a search for a name, and why it may be empty. */
export interface NameSearchResult extends Reply<readonly Match[]> {
  /** Present if no server could be asked. */
  readonly failure?: LspanError;
}

/**
 * Searches the workspace for symbols of a name with the servers' own search. If that is not enough (a server has
 * none, cuts its list, or leaves out symbols inside functions), also searches the outlines of files that mention the
 * name.
 */
export async function findByName(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
): Promise<NameSearchResult> {
  // If the search takes too long, the outlines may still answer.
  const found =
    (await withinShare(call, limits.shares.servers, (part) => searchSymbols(context, wanted, files, part))) ??
    searchTookTooLong;
  const isCut = found.doubts.some(({ kind }) => kind === 'capped');
  // The search of servers leaves out many members, so there may be others than those it finds.
  if (!isCut && found.answer.some(({ kind }) => !minorKinds.has(kind)))
    return withOthersOfC(context, wanted, files ?? [], found, call);
  const outlined = await searchOutlines(context, wanted, files ?? [], call);
  const beyond = (files?.length ?? 0) - limits.candidates.outlines;
  const isWhole = outlined.searched > 0 && beyond <= 0;
  const failure = outlined.searched > 0 ? undefined : found.failure;
  const own = found.doubts.filter(
    ({ kind }) => !(isWhole && (kind === 'capped' || found === searchTookTooLong)),
  );
  const answer = [...found.answer, ...outlined.answer];
  const skipped = beyond > 0 && answer.length === 0 ? [skippedFiles(beyond)] : [];
  const doubts = uniqueDoubts([...own, ...outlined.doubts, ...skipped]);
  return { answer, doubts, ...(failure ? { failure } : {}) };
}

/** Adds what the texts of other C files define under the name and the search of the server leaves out. */
async function withOthersOfC(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[],
  found: NameSearchResult,
  call: Call,
): Promise<NameSearchResult> {
  if (!isNameOnly(wanted)) return found;
  const known = new Set(found.answer.map(({ span }) => span.path));
  const others = files.filter((path) => !known.has(path));
  const defined = await cDefinitions(context, wanted.name, others);
  if (defined.length === 0) return found;
  const outlined = await searchOutlines(context, wanted, [...new Set(defined.map(({ path }) => path))], call);
  const listed = new Set(outlined.answer.map(({ span }) => span.path));
  const left = defined.filter(({ path }) => !listed.has(path));
  const doubts = left.length === 0 ? found.doubts : [...found.doubts, notCompiled(context, left)];
  return { answer: [...found.answer, ...outlined.answer], doubts };
}

function notCompiled({ workspace }: ToolContext, defined: readonly Span[]): Doubt {
  const detail = `The text also defines the name where it is not compiled: ${namePlaces(workspace, defined)}`;
  return { kind: 'unverified', detail };
}

async function searchSymbols(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
): Promise<NameSearchResult> {
  const among = files ? { among: files } : {};
  const asking = context.backend.ask({ kind: 'symbols', query: wanted.name, ...among }, call);
  const reply = await asking.catch((thrown: unknown) => failureOf(thrown, call));
  if (!('answer' in reply)) return { answer: [], doubts: [], failure: reply };
  const allowed = files && new Set(files);
  // The content of ignored files is mostly generated from files that are not ignored.
  const listed = reply.answer.filter(({ span }) => allowed?.has(span.path) ?? true);
  const matches = matchFound(listed, wanted, (path) => context.workspace.show(path));
  return { answer: await joinOverloads(context, wanted, matches, call), doubts: reply.doubts };
}

/** Joins symbols of one name that are side by side in a file, which only its outline shows. */
async function joinOverloads(
  context: ToolContext,
  wanted: WantedSymbol,
  matches: readonly Match[],
  call: Call,
): Promise<readonly Match[]> {
  const paths = [...new Set(matches.map(({ span }) => span.path))];
  const least = wanted.overload === undefined ? 2 : 1;
  const joined = await Promise.all(
    paths.map(async (path) => {
      const own = matches.filter(({ span }) => span.path === path);
      if (own.length < least) return own;
      const { answer } = await searchOutlines(context, wanted, [path], call);
      return answer.length > 0 ? answer : own;
    }),
  );
  return joined.flat();
}

const searchTookTooLong: NameSearchResult = {
  answer: [],
  doubts: [{ kind: 'timed_out', detail: 'The search for the name took too long: more symbols may have it.' }],
};

async function searchOutlines(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[],
  call: Call,
): Promise<Reply<readonly Match[]> & { readonly searched: number }> {
  const some = files.slice(0, limits.candidates.outlines);
  const replies = await withinPart(call, { isBeside: some.length > 1 }, (part) =>
    Promise.all(some.map((path) => searchOutline(context, wanted, path, part))),
  );
  return {
    answer: replies.flatMap(({ answer }) => answer),
    doubts: replies.flatMap(({ doubts }) => doubts),
    searched: replies.filter(({ failure }) => failure === undefined).length,
  };
}

async function searchOutline(
  context: ToolContext,
  wanted: WantedSymbol,
  path: string,
  call: Call,
): Promise<NameSearchResult> {
  const asking = context.outlines.of(context, path, call);
  const outline = await asking.catch((thrown: unknown) => failureOf(thrown, call));
  if ('code' in outline) return { answer: [], doubts: asDoubts(outline), failure: outline };
  return {
    answer: matchOutline(outline.answer, wanted, { path, shown: context.workspace.show(path) }),
    doubts: outline.doubts,
  };
}

/** Rethrows the error that ended the call; any other only ends this search. */
function failureOf(thrown: unknown, call: Call): LspanError {
  if (cancelSignalOf(call).aborted) throw thrown;
  return asLspanError(thrown);
}

/** Returns why a search that failed is a doubt; none for files that no server knows: most of these are not code. */
export function asDoubts({ code, message }: LspanError): readonly Doubt[] {
  if (code === 'not_supported') return [];
  return [
    code === 'timed_out'
      ? {
          kind: 'timed_out',
          detail: 'A server did not answer in time for each file. Call again to continue.',
        }
      : { kind: 'server_unavailable', detail: message },
  ];
}

function skippedFiles(files: number): Doubt {
  return {
    kind: 'capped',
    detail: `${files} more files that mention the name were not searched.`,
  };
}
