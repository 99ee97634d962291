/** Escapes characters that could hide or forge text, as `everyHidden` lists them; tab and newline stay. */
export function visible(text: string): string {
  return notPlain.test(text) ? text.replace(everyHidden, show) : text;
}

/** Like `visible`, but for text on one line: also escapes line breaks, which could forge the next line. */
export function visibleLine(text: string): string {
  return notPlain.test(text) || text.includes('\n') ? visible(text).replace(/\n/g, show) : text;
}

/**
 * Like `visibleLine`, for every string in a JSON value, whose keys are our own; returns the value itself if
 * nothing is hidden. Only fields named in `prose` may have several lines.
 */
export function visibleData<T>(value: T, prose: ReadonlySet<string>): T;
/** Implements the overload above. */
export function visibleData(value: unknown, prose: ReadonlySet<string>): unknown {
  return shown(value, visibleLine, prose);
}

type Show = (text: string) => string;

function shown(value: unknown, one: Show, prose: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return one(value);
  if (Array.isArray(value)) return shownItems(value, one, prose);
  if (typeof value !== 'object' || value === null) return value;
  let made: Record<string, unknown> | undefined;
  for (const key in value) {
    const held: unknown = Reflect.get(value, key);
    if (typeof held === 'number' || typeof held === 'boolean') continue;
    const seen = shown(held, prose.has(key) ? visible : one, prose);
    if (seen === held) continue;
    made ??= { ...value };
    made[key] = seen;
  }
  return made ?? value;
}

/** Nearly always nothing is hidden; then nothing is copied. */
function shownItems(items: readonly unknown[], one: Show, prose: ReadonlySet<string>): readonly unknown[] {
  let made: unknown[] | undefined;
  for (let index = 0; index < items.length; index += 1) {
    const seen = shown(items[index], one, prose);
    if (seen === items[index]) continue;
    made ??= [...items];
    made[index] = seen;
  }
  return made ?? items;
}

/** Cheap first test: most text is plain ASCII. */
const notPlain = /[^\t\n\x20-\x7e]/;
// Controls, format characters (bidirectional, zero-width, tags), lone surrogates, line separators, and
// characters that are not drawn, except the emoji selectors.
const everyHidden =
  /(?!\t|\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function show(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
