import type { Span } from '../../../core/question.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { isOnlyModule, receiverAt } from '../../../source-text/imports.ts';
import { wordAt } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';

/**
 * Groups mentions that mean the same: the members of one imported module in one file, as `z.string` in a test of hundreds. The
 * server is asked about one of each group. The order is that of the first ones.
 */
export async function groupAlike(
  context: ToolContext,
  mentions: readonly Span[],
): Promise<readonly (readonly [Span, ...Span[]])[]> {
  const groups: [Span, ...Span[]][] = [];
  for (const [path, own] of groupBy(mentions, (mention) => mention.path)) {
    const document = own.length > 1 ? await documentAt(context, path) : undefined;
    groups.push(...(document ? groupIn(document, own) : own.map((one): [Span] => [one])));
  }
  return groups;
}

function groupIn(document: Document, mentions: readonly Span[]): [Span, ...Span[]][] {
  const { path, text } = document;
  const modules = new Map<string, boolean>();
  const byMember = new Map<string, [Span, ...Span[]]>();
  const groups: [Span, ...Span[]][] = [];
  for (const mention of mentions) {
    const offset = document.offsetAt(mention.range.start);
    const at = receiverAt(text, offset);
    const name = at === undefined ? undefined : wordAt(text.slice(at, offset), 0);
    const isModule = name !== undefined && (modules.get(name) ?? isOnlyModule(path, text, name));
    if (name !== undefined) modules.set(name, isModule);
    const member = `${name}.${text.slice(offset, document.offsetAt(mention.range.end))}`;
    const group = isModule ? byMember.get(member) : undefined;
    if (group) group.push(mention);
    else {
      const begun: [Span] = [mention];
      groups.push(begun);
      if (isModule) byMember.set(member, begun);
    }
  }
  return groups;
}
