import { insertion, lineEndingOf, refusedAt, replaceRange, type TextChange } from './text-change.ts';

/** Marks that separate the paragraph of lspan from the rest of a Markdown file. */
const marks = { begin: '<!-- lspan:begin -->', end: '<!-- lspan:end -->' } as const;

/** Returns the changes that put a paragraph between the marks, at the end of the text if there are none. */
export function addBlock(text: string, paragraph: string, head: string): readonly TextChange[] {
  const ending = lineEndingOf(text);
  const block = [marks.begin, ...paragraph.split('\n'), marks.end].join(ending);
  const there = findBlock(text);
  if (there !== undefined) {
    const isSame = text.slice(there.from, there.to) === block;
    return isSame ? [] : [replaceRange(text, there.from, there.to, block)];
  }
  if (text === '') return [insertion(0, `${head}${block}${ending}`)];
  const isWhole = text.endsWith('\n');
  const isSpaced = /\n[ \t]*\r?\n$/.test(text);
  const start = isWhole ? (isSpaced ? '' : ending) : `${ending}${ending}`;
  return [insertion(text.length, `${start}${block}${isWhole ? ending : ''}`)];
}

/** Returns the changes that take the paragraph out, and one blank line before it. */
export function removeBlock(text: string): readonly TextChange[] {
  const there = findBlock(text);
  if (there === undefined) return [];
  const before = /(?:\r?\n)?$/.exec(text.slice(0, there.from).replace(/(\r?\n)$/, ''))?.[0].length ?? 0;
  const [after = ''] = /^\r?\n/.exec(text.slice(there.to)) ?? [];
  return [replaceRange(text, there.from - before, there.to + after.length, '')];
}

function findBlock(text: string): { readonly from: number; readonly to: number } | undefined {
  const from = text.indexOf(marks.begin);
  const last = text.indexOf(marks.end);
  if (from === -1 && last === -1) return undefined;
  const isOne = from === text.lastIndexOf(marks.begin) && last === text.lastIndexOf(marks.end);
  if (from !== -1 && last > from && isOne) return { from, to: last + marks.end.length };
  throw refusedAt(
    text,
    Math.max(from, 0),
    `the marks ${marks.begin} and ${marks.end} do not enclose one paragraph.`,
  );
}
