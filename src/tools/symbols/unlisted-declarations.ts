import { type Call, cancelSignalOf } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import type { Span } from '../../core/question.ts';
import { Pace } from '../../core/runtime/slices.ts';
import { cDeclarationAt } from '../../source-text/c-declarations.ts';
import { lexicalAt } from '../../source-text/lexical.ts';
import { declaredNames } from '../../source-text/names/declared-names.ts';
import { occurrences } from '../../source-text/words.ts';
import { type Document, rangeAt } from '../../workspace/texts/document.ts';
import { namePlaces } from '../mentions/mentions.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Returns a doubt if texts declare a name that no server lists: in code that is not compiled, or not reached, here. */
export async function unlistedDoubts(
  context: ToolContext,
  name: string,
  call: Call,
): Promise<readonly Doubt[]> {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return [];
  const files = (await context.workspace.mentioning(name, call)) ?? [];
  const found: Span[] = [];
  const pace = new Pace();
  for (const path of files.slice(0, limits.candidates.outlines)) {
    if (pace.isLate()) await pace.rest();
    cancelSignalOf(call).throwIfAborted();
    const document = await documentAt(context, path);
    if (document) found.push(...declarationsIn(document, name));
  }
  if (found.length === 0) return [];
  const detail = `Texts declare it where no server lists it: ${namePlaces(context.workspace, found)}`;
  return [{ kind: 'unverified', detail }];
}

/** Returns where the code of a text declares a name. */
function declarationsIn(document: Document, name: string): readonly Span[] {
  const { path, text } = document;
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(path, text, offsets);
  const declared = new Set(
    declaredNames(path, text, (one) => one === name).map(({ position }) => document.offsetAt(position)),
  );
  return offsets
    .filter((offset, index) => {
      const isDeclared = declared.has(offset) || isDeclaredInC(document, offset);
      return isDeclared && kinds[index] === 'code';
    })
    .map((offset): Span => ({ path, range: rangeAt(document, offset, name.length), standing: 'inside' }));
}

/** What is indented is a variable of a function, or a member. */
function isDeclaredInC({ path, text }: Document, offset: number): boolean {
  return (
    !/[ \t]/.test(text[text.lastIndexOf('\n', offset - 1) + 1] ?? ' ') &&
    cDeclarationAt(path, text, offset) !== undefined
  );
}
