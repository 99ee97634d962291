import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { toLineColumn } from '../../core/positions.ts';
import type { World } from '../run/tool.ts';
import { ambiguous, type Candidate, toCandidates } from './candidates.ts';
import { isBare, type Wanted } from './match-symbols.ts';
import { firstPlace } from './near-name.ts';
import { unverified } from './nothing-here.ts';
import { differentSymbols, differentUses } from './same-symbol.ts';
import { searchByName } from './search-by-name.ts';
import type { Located } from './target-fields.ts';

/** Finds a symbol by its name alone. Who mentions it is known from the text, so only servers of those files are asked. */
export async function locateInWorkspace(
  world: World,
  wanted: Wanted,
  call: Call,
  exact: boolean,
): Promise<Located> {
  const mentioning = await world.workspace.mentioning(wanted.name, call);
  if (mentioning?.length === 0) throw nowhere(wanted);
  const files = mentioning && (await likelyFirst(world, mentioning, wanted, call));
  const { answer, doubts, failure } = await searchByName(world, wanted, files, call);
  const candidates = await differentSymbols(world, await toCandidates(world, answer), call);
  const [only, ...others] = candidates;
  const isCut = doubts.some(({ kind }) => kind === 'capped');
  if (others.length > 0) throw await ambiguous(world, wanted.given, candidates, call, isCut);
  if (only) return { ...only, doubts };
  if (failure) throw failure;
  const use = isBare(wanted) && !exact ? await locateUse(world, wanted, files ?? [], call) : undefined;
  if (use) return { ...use, doubts };
  throw notFound(wanted, doubts);
}

/** Files that mention the innermost holder too come first: of many files only some are looked into. */
async function likelyFirst(
  { workspace }: World,
  files: readonly string[],
  { holders }: Wanted,
  call: Call,
): Promise<readonly string[]> {
  const holder = holders.at(-1);
  const likely = holder === undefined ? undefined : await workspace.mentioning(holder, call);
  if (!likely) return files;
  const isLikely = new Set(likely);
  return [...files.filter((path) => isLikely.has(path)), ...files.filter((path) => !isLikely.has(path))];
}

/** A name that is defined outside, or inside a function, is known by its uses; where all of them mean the same. */
async function locateUse(
  world: World,
  { given, name }: Wanted,
  files: readonly string[],
  call: Call,
): Promise<Omit<Located, 'doubts'> | undefined> {
  const uses = await Promise.all(
    files.slice(0, limits.candidates.asked).map(async (path): Promise<readonly Candidate[]> => {
      const document = await world.workspace.read(path).catch(() => undefined);
      const position = document && firstPlace(document, name);
      return position ? [{ place: { path, position }, name }] : [];
    }),
  );
  const different = await differentUses(world, uses.flat(), call);
  const [only, ...others] = different;
  if (!only) return undefined;
  if (others.length > 0) throw await ambiguous(world, given, different, call);
  const { line, character } = toLineColumn(only.place.position);
  const where = `${world.workspace.show(only.place.path)}:${line}:${character}`;
  return { ...only, adjusted: `the use of ${JSON.stringify(name)} at ${where}` };
}

function nowhere({ given, name }: Wanted): LspanError {
  const what = JSON.stringify(name === given ? given : name);
  return new LspanError('not_found', `No file of the workspace mentions ${what}.`, {
    nextStep:
      'Check the name; ignored files and libraries are not searched. search_workspace_symbols takes a part of it.',
  });
}

function notFound({ given, kind }: Wanted, doubts: readonly Doubt[]): LspanError {
  const what = `${kind ?? 'symbol'} named ${JSON.stringify(given)}`;
  if (doubts.length === 0) {
    return new LspanError('not_found', `No ${what} is known in the workspace.`, {
      nextStep: 'Give the `file_path` where it is used, or a part of the name to search_workspace_symbols.',
    });
  }
  const otherwise = 'Or give the `file_path` where it is used.';
  return unverified(`No ${what} was found`, doubts, { otherwise });
}
