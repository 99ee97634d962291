/**
 * Makes characters visible that could hide or forge text: control characters but for tab and newline,
 * bidirectional and zero-width ones, tags, and halves of surrogate pairs.
 */
export function visible(text: string): string {
  return notPlain.test(text) ? text.replace(everyHidden, show) : text;
}

/** The same for what stands on one line of ours: a line break in it, which could forge the next line, is shown too. */
export function visibleLine(text: string): string {
  return notPlain.test(text) || text.includes('\n') ? visible(text).replace(/\n/g, show) : text;
}

/**
 * The same for every string in a value as it goes out in JSON, whose names are our own; itself where nothing hides.
 * Only the fields of these names may have several lines.
 */
export function visibleData<T>(value: T, prose: ReadonlySet<string>): T;
/** Whatever it is made of. */
export function visibleData(value: unknown, prose: ReadonlySet<string>): unknown {
  return shown(value, visibleLine, prose);
}

type Show = (text: string) => string;

function shown(value: unknown, one: Show, prose: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return one(value);
  if (Array.isArray(value)) {
    // Nearly always nothing hides, and then nothing is made anew.
    let made: unknown[] | undefined;
    value.forEach((held, index) => {
      const seen = shown(held, one, prose);
      if (seen === held) return;
      made ??= [...value];
      made[index] = seen;
    });
    return made ?? value;
  }
  if (typeof value !== 'object' || value === null) return value;
  let made: Record<string, unknown> | undefined;
  for (const [key, held] of Object.entries(value)) {
    const seen = shown(held, prose.has(key) ? visible : one, prose);
    if (seen === held) continue;
    made ??= { ...value };
    made[key] = seen;
  }
  return made ?? value;
}

/** Most text is plain ASCII, which a first, cheap look tells. */
const notPlain = /[^\t\n\x20-\x7e]/;
// Controls, format characters, halves of pairs, separators of lines, and whatever is not drawn, but for the forms of emoji.
const everyHidden =
  /(?!\t|\n|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

function show(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
