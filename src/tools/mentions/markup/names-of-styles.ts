import type { Call } from '../../../core/call.ts';
import { limits } from '../../../core/limits.ts';
import { Pace } from '../../../core/runtime/slices.ts';
import { mayMeanStyle, styleNameAt } from '../../../source-text/names/style-names.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';
import type { Mention } from '../mentions.ts';

/**
 * Returns where other style sheets, pages and scripts may use a class, an id or a custom property of a style sheet: no server
 * joins these.
 */
export async function namesOfStyles(
  context: ToolContext,
  { place: { path, position }, name }: SearchedSymbol,
  call: Call,
): Promise<readonly Mention[]> {
  const own = await documentAt(context, path);
  const at = own?.offsetAt(position) ?? 0;
  const style = own && styleNameAt(path, own.text, { start: at, end: at });
  if (!style) return [];
  const found: Mention[] = [];
  const pace = new Pace();
  const files = (await context.workspace.mentioning(name, call)) ?? [];
  for (const file of files.slice(0, limits.mentions.files)) {
    if (pace.isLate()) await pace.rest();
    const document = file === path ? undefined : await documentAt(context, file);
    if (!document) continue;
    for (const offset of occurrences(document.text, name)) {
      const word = { start: offset, end: offset + name.length };
      if (!mayMeanStyle(file, document.text, word, style)) continue;
      const range = { start: document.positionAt(word.start), end: document.positionAt(word.end) };
      found.push({ path: file, range, standing: 'inside', reason: 'unverified' });
    }
  }
  return found;
}
