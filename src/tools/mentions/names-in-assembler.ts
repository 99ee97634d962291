import { dirname } from 'node:path';
import { lexicalAt } from '../../source-text/lexical.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { spanOf } from './definitions-at.ts';
import type { SearchedSymbol } from './meaning/resolving.ts';
import type { Mention } from './mentions.ts';

/**
 * Returns where assembler of Go names a symbol, in the packages that use it: as `·name`, which is no word of its own, and
 * which no server reads.
 */
export async function namesInAssembler(
  context: ToolContext,
  { place, name, references }: SearchedSymbol,
): Promise<readonly Mention[]> {
  if (!/\.go$/.test(place.path)) return [];
  const folders = new Set([place, ...references].map(({ path }) => dirname(path)));
  const pattern = new RegExp(`(?<=·)${name}(?![\\p{ID_Continue}])`, 'gu');
  const found: Mention[] = [];
  for (const path of context.workspace.files()) {
    if (!path.endsWith('.s') || !folders.has(dirname(path))) continue;
    const document = await documentAt(context, path);
    if (!document) continue;
    const offsets = Array.from(document.text.matchAll(pattern), ({ index }) => index);
    const kinds = lexicalAt(path, document.text, offsets);
    for (const [index, offset] of offsets.entries())
      if (kinds[index] === 'code') found.push({ ...spanOf(document, offset), reason: 'unverified' });
  }
  return found;
}
