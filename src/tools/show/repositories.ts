import { z } from 'zod';
import type { Reply, Repositories, RepositoryQuestion } from '../../core/backend.ts';
import { type Call, withinShare } from '../../core/call.ts';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Span } from '../../core/question.ts';
import type { ToolContext } from '../run/tool.ts';

/** Where to search: the workspace, or other repositories too. */
export const scope = z.enum(['workspace', 'repositories']).default('workspace');

/** Where a tool is asked to search. */
export type SearchScope = z.output<typeof scope>;

/** Finds a symbol of the workspace in other repositories; nothing, unless the scope has them. */
export async function findElsewhere(
  context: ToolContext,
  question: RepositoryQuestion,
  { places, asked }: { readonly places: readonly Place[]; readonly asked: SearchScope },
  call: Call,
): Promise<Reply<readonly Span[]>> {
  if (asked === 'workspace') return { answer: [], doubts: [] };
  const definitions = await definedAt(context, places, call);
  return repositoriesOf(context).find(question, { places: [...places, ...definitions] }, call);
}

/** Runs a search of the workspace; if that does not have the name, other repositories are searched for it. */
export async function orElsewhere<T>(
  context: ToolContext,
  question: RepositoryQuestion,
  { name, asked }: { readonly name: string | undefined; readonly asked: SearchScope },
  call: Call,
  located: Promise<T>,
): Promise<{ readonly located: T } | { readonly reply: Reply<readonly Span[]> }> {
  if (asked === 'workspace' || name === undefined) return { located: await located };
  const found = await located.then(
    (value) => ({ located: value }),
    (thrown: unknown) => ({ error: asLspanError(thrown) }),
  );
  if ('located' in found) return found;
  if (found.error.code !== 'not_found') throw found.error;
  const reply = await repositoriesOf(context).find(question, { name }, call);
  if (reply.answer.length === 0) throw found.error;
  return { reply };
}

/** Returns the other repositories. Throws if this lspan can have none. */
export function repositoriesOf({ repositories }: ToolContext): Repositories {
  if (repositories) return repositories;
  throw new LspanError('not_supported', 'This lspan searches no other repositories.', {
    nextStep: 'Leave out `scope`.',
  });
}

/** An index may know the definition of a symbol where it does not know a new use of it. */
async function definedAt(
  { backend }: ToolContext,
  places: readonly Place[],
  call: Call,
): Promise<readonly Place[]> {
  const [place] = places;
  if (place === undefined) return [];
  const defined = await withinShare(call, limits.shares.beside, (part) =>
    backend.ask({ kind: 'definition', place }, part),
  ).catch(() => undefined);
  const own = defined?.answer.filter(({ standing }) => standing === 'inside') ?? [];
  return own.map(({ path, range }) => ({ path, position: range.start }));
}
