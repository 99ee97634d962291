import { type Call, cancelSignalOf, withinShare } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { linkAt } from '../../source-text/imports.ts';
import type { SearchedSymbol } from '../mentions/meaning/searched-symbol.ts';
import { type FoundUse, namePlaces, unexplainedMentionDoubts } from '../mentions/mentions.ts';
import { searchMentions } from '../mentions/search-mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { plural } from '../show/render-location.ts';
import { findAnyUses, usesTookTooLong } from './find-uses.ts';

/**
 * Returns doubts if places that mention a name may be uses, or uses may be of the kind that was asked for. `references` are
 * known to be.
 */
export async function unexplainedUseDoubts(
  context: ToolContext,
  { place, name, references }: SearchedSymbol,
  call: Call,
): Promise<readonly Doubt[]> {
  const found = await withinShare(call, limits.shares.beside, async (part) => {
    const uses = await findAnyUses(context, { place, name, doubts: [] }, part).catch(() => undefined);
    cancelSignalOf(part).throwIfAborted();
    return uses?.mentioned ?? searchMentions(context, { place, name, references }, part);
  });
  if (!found) return [usesTookTooLong];
  return [...unexplainedMentionDoubts(context, found), ...(await unseenDoubts(context, found.uses))];
}

/** A server that cannot follow the import of an interface does not see what implements it there. */
async function unseenDoubts(context: ToolContext, uses: readonly FoundUse[]): Promise<readonly Doubt[]> {
  const unseen: Span[] = [];
  for (const use of uses.filter(({ isImported }) => isImported)) {
    const document = await documentAt(context, use.path);
    if (!document || linkAt(use.path, document.text, document.offsetAt(use.range.start))) continue;
    if (!called.test(document.line(use.range.end.line).slice(use.range.end.character))) unseen.push(use);
  }
  if (unseen.length === 0) return [];
  const detail = `${plural('use', unseen.length)} that the server cannot follow may implement it: ${namePlaces(context.workspace, unseen)}`;
  return [{ kind: 'unverified', detail }];
}

/** What is called, or has a member taken, is not implemented there. */
const called = /^\s*(?:[(.]|<[^<>()]{0,60}>\s*\()/;
