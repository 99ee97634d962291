import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import { type Doubt, uniqueDoubts } from '../../core/doubts.ts';
import { asLspanError, type LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { ToolContext } from '../run/tool.ts';
import { lesser, type Match, matchFound, matchOutline, type WantedSymbol } from './match-symbols.ts';

/** What a search for a name found, and why it may have found nothing. */
export interface NameSearchResult extends Reply<readonly Match[]> {
  /** Nobody could be asked. */
  readonly failure?: LspanError;
}

/**
 * Searches the workspace for symbols of a name: by the servers' own search, and where that does not tell all (servers
 * without one, cut lists, symbols inside functions) by the outlines of the files that mention the name.
 */
export async function findByName(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[] | undefined,
  call: Call,
): Promise<NameSearchResult> {
  const found = await searchSymbols(context, wanted, files, call);
  const isCut = found.doubts.some(({ kind }) => kind === 'capped');
  // Searches leave out many members, so that one does not mean that there are no others.
  if (!isCut && found.answer.some(({ kind }) => !lesser.has(kind))) return found;
  const outlined = await searchOutlines(context, wanted, files ?? [], call);
  const beyond = (files?.length ?? 0) - limits.candidates.outlines;
  const whole = outlined.looked > 0 && beyond <= 0;
  const failure = outlined.looked > 0 ? undefined : found.failure;
  const searched = found.doubts.filter(({ kind }) => !(whole && kind === 'capped'));
  const answer = [...found.answer, ...outlined.answer];
  const unseen = beyond > 0 && answer.length === 0 ? [notLookedAt(beyond)] : [];
  const doubts = uniqueDoubts([...searched, ...outlined.doubts, ...unseen]);
  return { answer, doubts, ...(failure ? { failure } : {}) };
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
  const isListed = files && new Set(files);
  // What an ignored file holds is mostly made from something that is not ignored.
  const listed = reply.answer.filter(({ span }) => isListed?.has(span.path) ?? true);
  const matches = matchFound(listed, wanted, (path) => context.workspace.show(path));
  return { answer: await joinOverloads(context, wanted, matches, call), doubts: reply.doubts };
}

/** Which of several symbols of one name in one file stand side by side is known from its outline. */
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

async function searchOutlines(
  context: ToolContext,
  wanted: WantedSymbol,
  files: readonly string[],
  call: Call,
): Promise<Reply<readonly Match[]> & { readonly looked: number }> {
  const replies = await Promise.all(
    files.slice(0, limits.candidates.outlines).map(async (path): Promise<NameSearchResult> => {
      const asking = context.outlines.of(context, path, call);
      const outline = await asking.catch((thrown: unknown) => failureOf(thrown, call));
      if ('code' in outline) return { answer: [], doubts: asDoubts(outline), failure: outline };
      return {
        answer: matchOutline(outline.answer, wanted, { path, shown: context.workspace.show(path) }),
        doubts: outline.doubts,
      };
    }),
  );
  return {
    answer: replies.flatMap(({ answer }) => answer),
    doubts: replies.flatMap(({ doubts }) => doubts),
    looked: replies.filter(({ failure }) => failure === undefined).length,
  };
}

/** What ends the call ends the search too. */
function failureOf(thrown: unknown, call: Call): LspanError {
  if (cancelSignalOf(call).aborted) throw thrown;
  return asLspanError(thrown);
}

/** A file that no server outlines is no reason for doubt: most are no code. */
function asDoubts({ code, message }: LspanError): readonly Doubt[] {
  return code === 'not_supported' ? [] : [{ kind: 'server_unavailable', detail: message }];
}

function notLookedAt(files: number): Doubt {
  return {
    kind: 'capped',
    detail: `${files} more files mention the name, and their outlines were not looked at.`,
  };
}
