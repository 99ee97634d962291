import { limits } from '../../core/limits.ts';

/** A name that style sheets and pages share, such as `my-button` with the mark of a class. */
interface StyleName {
  readonly mark: '.' | '#' | '--';
  readonly name: string;
}

interface Part {
  readonly start: number;
  readonly end: number;
}

/** True for a style sheet. */
export function isStyleSheet(file: string): boolean {
  return /\.(?:css|less|scss|sass)$/i.test(file);
}

/** Returns the class, the id or the custom property that a word of a style sheet is, or is a part of. */
export function styleNameAt(file: string, text: string, word: Part): StyleName | undefined {
  if (!isStyleSheet(file)) return undefined;
  const { start, end } = wholeNameAt(text, word);
  const name = text.slice(start, end);
  if (name.startsWith('--')) return { mark: '--', name };
  const mark = text[start - 1];
  return mark === '.' || mark === '#' ? { mark, name } : undefined;
}

/**
 * Returns whether a word of another style sheet, a page or a script may mean a name of a style sheet: a custom property, or a
 * class or an id behind its mark, and outside of style sheets also in quotes or behind a `class:`.
 */
export function mayMeanStyle(file: string, text: string, word: Part, { mark, name }: StyleName): boolean {
  if (!pages.test(file) && !isStyleSheet(file)) return false;
  const { start, end } = wholeNameAt(text, word);
  if (text.slice(start, end) !== name) return false;
  if (mark === '--') return true;
  if (isStyleSheet(file)) return text[start - 1] === mark;
  const before = text.slice(Math.max(0, start - limits.mentions.attribute), start);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return (
    text[start - 1] === mark ||
    /(?:\bclass:|=)$/.test(line) ||
    /["'`][^"'`<>]{0,400}$/.test(line) ||
    opensAbove.test(before)
  );
}

/** In an attribute for classes whose value began on a line above. */
const opensAbove = /\bclass(?:Name)?\s{0,9}=\s{0,9}[{(]?["'`][^"'`<>]{0,400}$/;

/** Files that use what style sheets define. */
const pages =
  /\.(?:html?|xhtml|vue|svelte|astro|mdx|[cm]?[jt]sx?|php|phtml|erb|haml|slim|hbs|mustache|twig|liquid|ejs|pug|jinja2?|j2|njk|cshtml|razor|heex|eex|templ|tmpl|gohtml)$/i;

function wholeNameAt(text: string, { start, end }: Part): Part {
  let [from, to] = [start, end];
  while (from > 0 && start - from < limits.mentions.quoted && /[\w-]/.test(text[from - 1] ?? '')) from -= 1;
  while (to < text.length && to - end < limits.mentions.quoted && /[\w-]/.test(text[to] ?? '')) to += 1;
  return { start: from, end: to };
}
