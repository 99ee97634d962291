import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/positions.ts';
import type { ToolContext } from '../run/tool.ts';
import { ambiguous, type Candidate, toCandidates } from './candidate.ts';
import { findByName } from './find-by-name.ts';
import { isNameOnly, type WantedSymbol } from './match-symbols.ts';
import { firstPlace } from './near-name.ts';
import { unverifiedError } from './no-answer.ts';
import { distinctSymbols, distinctUses } from './same-symbol.ts';
import type { Located } from './target-fields.ts';

/** Finds a symbol by its name alone. Only servers of files whose text mentions the name are asked. */
export async function locateInWorkspace(
  context: ToolContext,
  wanted: WantedSymbol,
  call: Call,
  exact: boolean,
): Promise<Located> {
  const mentioning = await context.workspace.mentioning(wanted.name, call);
  if (mentioning?.length === 0) throw notMentioned(wanted);
  const files = mentioning && (await likelyFirst(context, mentioning, wanted, call));
  const { answer, doubts, failure } = await findByName(context, wanted, files, call);
  const candidates = await distinctSymbols(context, await toCandidates(context, answer), call);
  const [only, ...others] = candidates;
  const isCut = doubts.some(({ kind }) => kind === 'capped');
  if (others.length > 0) throw await ambiguous(context, wanted.given, candidates, call, isCut);
  if (only) return { ...only, doubts };
  if (failure) throw failure;
  const use = isNameOnly(wanted) && !exact ? await locateUse(context, wanted, files ?? [], call) : undefined;
  if (use) return { ...use, doubts };
  throw notFound(wanted, doubts);
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

function notMentioned({ given, name }: WantedSymbol): LspanError {
  const what = JSON.stringify(name === given ? given : name);
  return new LspanError('not_found', `No file of the workspace mentions ${what}.`, {
    nextStep:
      'Check the name; ignored files and libraries are not searched. search_workspace_symbols takes a part of it.',
  });
}

function notFound({ given, kind }: WantedSymbol, doubts: readonly Doubt[]): LspanError {
  const what = `${kind ?? 'symbol'} named ${JSON.stringify(given)}`;
  if (doubts.length === 0) {
    return new LspanError('not_found', `No ${what} is known in the workspace.`, {
      nextStep: 'Give the `file_path` where it is used, or a part of the name to search_workspace_symbols.',
    });
  }
  const otherwise = 'Or give the `file_path` where it is used.';
  return unverifiedError(`No ${what} was found`, doubts, { otherwise });
}
