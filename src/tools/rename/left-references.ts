import { type Call, cancelSignalOf, withinShare } from '../../core/call.ts';
import { asLspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Place, Rename } from '../../core/question.ts';
import type { FoundMentions, Mention } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { spanKey } from '../show/location.ts';

/** What a rename changes, and the mentions of the name that it leaves. */
interface Searched {
  readonly answer: Rename;
  readonly everything: FoundMentions;
}

/** Some servers list references that they do not rename: the methods of types that have the methods of an interface. */
export async function withReferences(
  { backend }: ToolContext,
  place: Place,
  { answer, everything }: Searched,
  call: Call,
): Promise<Searched> {
  const isOther = ({ reason }: Mention) => reason === 'other_symbol';
  if (!everything.found.some(isOther)) return { answer, everything };
  const reply = await withinShare(call, limits.shares.beside, (part) =>
    backend.ask({ kind: 'references', place }, part),
  ).catch((thrown: unknown) => {
    cancelSignalOf(call).throwIfAborted();
    if (asLspanError(thrown).code === 'internal') throw thrown;
    return undefined;
  });
  const listed = new Set(reply?.answer.map(spanKey));
  const missed = everything.found.filter((one) => isOther(one) && listed.has(spanKey(one)));
  if (missed.length === 0) return { answer, everything };
  const found = everything.found.filter((one) => !missed.includes(one));
  return {
    answer: { ...answer, missed: [...answer.missed, ...missed] },
    everything: { ...everything, found },
  };
}
