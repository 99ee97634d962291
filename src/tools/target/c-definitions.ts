import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { cDeclarationAt } from '../../source-text/c-declarations.ts';
import { isC } from '../../source-text/c-files.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { occurrences } from '../../source-text/words.ts';
import { rangeAt } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/**
 * Returns where the texts of C files define a name at their top level. Servers leave out what is not compiled here, and
 * some leave out macros.
 */
export async function cDefinitions(
  context: ToolContext,
  name: string,
  files: readonly string[],
): Promise<readonly Span[]> {
  const found: Span[] = [];
  for (const path of files.filter(isC).slice(0, limits.candidates.outlines)) {
    const document = await documentAt(context, path);
    if (document === undefined) continue;
    const { text } = document;
    const offsets = occurrences(text, name);
    const kinds = lexicalAt(path, text, offsets);
    for (const [index, offset] of offsets.entries()) {
      if (kinds[index] !== 'code' || !isTopDefinition(path, text, offset)) continue;
      found.push({ path, range: rangeAt(document, offset, name.length), standing: 'inside' });
    }
  }
  return found;
}

/** What is indented is a variable of a function, or a member. */
function isTopDefinition(path: string, text: string, offset: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/^[ \t]*#[ \t]*define[ \t]+$/.test(before)) return true;
  return !/^\s/.test(before) && cDeclarationAt(path, text, offset) === 'definition';
}
