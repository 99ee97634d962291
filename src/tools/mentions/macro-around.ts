import type { Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import { type MacroAround, macroAt } from '../../source-text/macros.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Returns the macro whose definition contains a mention of a name. */
export async function macroAround(
  context: ToolContext,
  { path, range }: Span,
  name: string,
): Promise<MacroAround | undefined> {
  const document = await documentAt(context, path);
  return document && macroAt(path, document.text, document.offsetAt(range.start), name);
}

/** True if a mention is a parameter of a macro of C, in its definition. */
export async function isParameterOfMacro(
  context: ToolContext,
  mention: Span,
  name: string,
): Promise<boolean> {
  return isC(mention.path) && (await macroAround(context, mention, name))?.isParameter === true;
}
