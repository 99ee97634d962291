import type { Reply } from '../../core/backend.ts';
import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';
import { plural } from '../show/render-location.ts';
import { findElsewhere } from '../show/repositories.ts';
import type { Located } from '../target/target-fields.ts';

/** Returns a doubt if other repositories use a symbol that is renamed: nothing there is changed. */
export async function usersElsewhereDoubts(
  context: ToolContext,
  { place, also = [] }: Located,
  name: string,
  call: Call,
): Promise<readonly Doubt[]> {
  const asked = { places: [place, ...also], asked: 'repositories' } as const;
  const users = await context.repositories
    ?.isThere()
    .then((isThere) => (isThere ? findElsewhere(context, 'references', asked, call) : undefined))
    .catch(() => notAnswered);
  cancelSignalOf(call).throwIfAborted();
  if (users === notAnswered) return notAnswered.doubts;
  const found = users?.answer ?? [];
  if (found.length === 0) return [];
  const repositories = [...new Set(found.map(({ path }) => path.slice(0, path.indexOf(':'))))];
  const detail = `Other repositories have ${plural('use', found.length)} of ${name}, which stay: ${nameSome(repositories)}.`;
  return [{ kind: 'unexpected_edit', detail }];
}

/** A database that does not answer is no reason to refuse a rename, but one to doubt it. */
const notAnswered: Reply<readonly Span[]> = {
  answer: [],
  doubts: [
    {
      kind: 'server_unavailable',
      server: 'index',
      detail: 'The index did not answer: who else uses it is not known.',
    },
  ],
};
