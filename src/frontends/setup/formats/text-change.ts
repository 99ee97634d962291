import { LspanError } from '../../../core/errors.ts';

/** One replacement in a text. Of several, each applies to the result of those before it. */
export interface TextChange {
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
}

/** Returns a text after its changes. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  return changes.reduce(
    (now, { at, removed, inserted }) => now.slice(0, at) + inserted + now.slice(at + removed.length),
    text,
  );
}

/** Returns the changes that take others back. */
export function inverted(changes: readonly TextChange[]): readonly TextChange[] {
  return changes.map(({ at, removed, inserted }) => ({ at, removed: inserted, inserted: removed })).reverse();
}

/** Orders changes that were all found in the same text, so that none moves the place of another. */
export function fromTheEnd(changes: readonly TextChange[]): readonly TextChange[] {
  return changes.toSorted((a, b) => b.at - a.at);
}

/** Returns the change that puts a text in. */
export function insertion(at: number, inserted: string): TextChange {
  return { at, removed: '', inserted };
}

/** Returns the change that replaces the text between two offsets. */
export function replaceRange(text: string, from: number, to: number, inserted: string): TextChange {
  return { at: from, removed: text.slice(from, to), inserted };
}

/** Returns the line ending of a text, which is that of its first line. */
export function lineEndingOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n';
}

/** Returns the spaces and tabs with which the line of an offset begins. */
export function indentAt(text: string, offset: number): string {
  const [indent = ''] = /^[ \t]*/.exec(text.slice(lineStart(text, offset))) ?? [];
  return indent;
}

/** Returns where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns where the line of an offset ends: before its line ending. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}

/** Returns where the line after that of an offset begins. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

/** Returns the error for a file that is left alone, with line and column in it. */
export function refusedAt(text: string, offset: number, why: string): LspanError {
  const before = text.slice(0, offset).split('\n');
  const place = `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
  return new LspanError('refused', `${place}: ${why}`, {
    nextStep: 'Correct the file there, and run it again.',
  });
}
