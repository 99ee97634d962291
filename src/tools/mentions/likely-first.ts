import { limits } from '../../core/limits.ts';
import type { Place, Span } from '../../core/question.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Orders mentions so that those in files that name the module of the symbol come first. */
export async function likelyFirst(
  context: ToolContext,
  place: Place,
  mentions: readonly Span[],
): Promise<readonly Span[]> {
  if (mentions.length <= limits.mentions.atOnce) return mentions;
  const module = moduleName(place.path);
  const [likely, others]: [Span[], Span[]] = [[], []];
  for (const [path, own] of groupBy(mentions, (mention) => mention.path)) {
    const document = await documentAt(context, path);
    (document?.text.includes(module) ? likely : others).push(...own);
  }
  return [...likely, ...others];
}

/** Returns the name by which other files import a module; an index file is called like its folder. */
function moduleName(path: string): string {
  const [folder = '', file = ''] = path.split('/').slice(-2);
  const stem = file.replace(/\..*$/, '');
  return /^(?:index|mod|main|lib|__init__)$/.test(stem) ? folder : stem;
}
