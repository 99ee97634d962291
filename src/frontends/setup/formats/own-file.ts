import { insertion, lineEndingOf, refusedAt, replaceRange, type TextChange } from './text-change.ts';

/** Returns the change that gives a file, which is all of lspan, its text. Throws `refused` if another made the file. */
export function fillOwnFile(text: string, content: string, mark: string): readonly TextChange[] {
  if (text.trim() === '') return [insertion(0, content)];
  if (!text.startsWith(mark))
    throw refusedAt(text, 0, 'this file is not one of lspan. Use --no-hooks, or move it.');
  const wanted = content.replaceAll('\n', lineEndingOf(text));
  return text === wanted ? [] : [replaceRange(text, 0, text.length, wanted)];
}

/** Returns the change that empties a file of lspan. */
export function emptyOwnFile(text: string, mark: string): readonly TextChange[] {
  return text.startsWith(mark) ? [replaceRange(text, 0, text.length, '')] : [];
}
