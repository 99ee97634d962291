import { limits } from '../../core/limits.ts';

/** A word of a text. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** The use of a component that gives it a property. */
export interface PropertyGiven {
  /** The name of the component in its tag. */
  readonly tag: string;
  /** True if a variable of the name is given, as in `<Child {size} />`. */
  readonly isShorthand: boolean;
}

/** True if a word declares a property of a component of Svelte under its own name. */
export function declaresProperty(text: string, { start, end }: Part): boolean {
  const before = text.slice(Math.max(0, start - limits.mentions.statement), start);
  if (exported.test(before)) return true;
  const after = text.slice(end, end + limits.mentions.statement);
  // A name behind a colon is that of the variable which gets the property.
  return taken.test(before) && !/:\s*$/.test(before) && fromProps.test(after);
}

/**
 * Returns the word that declares a property of a component, if no type does: a server that knows no type of a property does
 * not join it with those who give it.
 */
export function untypedProperty(text: string, name: string): Part | undefined {
  const words = new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', '\\$')}(?![\w$])`, 'g');
  for (const { index } of text.matchAll(words)) {
    const word = { start: index, end: index + name.length };
    if (declaresProperty(text, word) && !isTyped(text, word)) return word;
  }
  const listed = exportedProperties(text).find((one) => text.slice(one.name.start, one.name.end) === name);
  return listed && declarationOf(text, text.slice(listed.local.start, listed.local.end));
}

function declarationOf(text: string, name: string): Part | undefined {
  const declared = new RegExp(
    String.raw`(?:^|[;{}>\n])[ \t]*(?:let|const|var|function|class)\s+${name.replaceAll('$', '\\$')}(?![\w$])`,
  ).exec(text);
  const end = (declared?.index ?? 0) + (declared?.[0].length ?? 0);
  return declared ? { start: end - name.length, end } : undefined;
}

/** A variable that a component exports as a property, by another name or its own. */
export interface ExportedProperty {
  readonly local: Part;
  readonly name: Part;
}

/** Returns what a component makes properties by `export { a as b }`; what the script of its module exports is none. */
export function exportedProperties(text: string): readonly ExportedProperty[] {
  return [...text.matchAll(exportList)].flatMap(({ index, 0: { length }, 1: list = '' }) => {
    const script = text.slice(text.lastIndexOf('<script', index), index);
    if (/^<script\b[^>]*\bmodule\b/.test(script)) return [];
    const from = index + length - list.length - 1;
    return [...list.matchAll(exportedItem)].map((item) => {
      const [, local = '', name = local] = item;
      const start = from + item.index;
      const end = start + item[0].length;
      return { local: { start, end: start + local.length }, name: { start: end - name.length, end } };
    });
  });
}

const exportList = /(?:^|[;{}>\n])[ \t]*export\s*\{([^{}]*)\}(?!\s*from\b)/g;
const exportedItem = /([\w$]+)(?:\s+as\s+([\w$]+))?/g;

/** Returns the tags of the components that get properties by a spread, as in `<Child {...rest} />`. */
export function spreadTags(text: string): readonly string[] {
  return [...text.matchAll(component)].flatMap(({ index, 0: { length }, 1: tag = '' }) => {
    attribute.lastIndex = index + length;
    for (;;) {
      const [whole = ''] = attribute.exec(text) ?? [];
      if (whole === '') return [];
      if (/^\{\s*\.\.\./.test(whole)) return [tag];
    }
  });
}

/** True if the properties that a component takes all at once have a type. */
function isTyped(text: string, { end }: Part): boolean {
  const [, type] = fromProps.exec(text.slice(end, end + limits.mentions.statement)) ?? [];
  return type !== undefined;
}

/** Behind `export let`, and the names that it declares before. */
const exported = /(?:^|[;{}>\n])\s*export\s+let\s+(?:[\w$]+\s*(?::[^,;=]*)?(?:=[^,;]*)?,\s*)*$/;
/** In the braces of `let { a, b } = …`. */
const taken = /\b(?:let|const|var)\s*\{(?:[^;{}]|\{[^;{}]*\})*$/;
/** The end of such braces, and the type of all. */
const fromProps = /^(?:[^;{}]|\{[^;{}]*\})*\}\s*(:(?:[^;={}]|\{[^{}]*\})*)?=\s*\$props\s*(?:<|\()/;

/** Returns the component to which the attribute at a word of markup gives a property; `undefined` if there is none. */
export function propertyGiven(text: string, { start, end }: Part): PropertyGiven | undefined {
  if (isInScript(text, start)) return undefined;
  const from = Math.max(0, start - limits.mentions.statement);
  const [opening] = [...text.slice(from, start).matchAll(component)].slice(-1);
  const tag = opening?.[1];
  if (!opening || tag === undefined) return undefined;
  const attributes = text.slice(from + opening.index + opening[0].length, start);
  const before = attributeBefore(attributes);
  if (before === undefined) return undefined;
  const isShorthand = before.endsWith('{') && /^\s*\}/.test(text.slice(end));
  if (isShorthand) return { tag, isShorthand };
  return before === '' || before === 'bind:' ? { tag, isShorthand } : undefined;
}

const component = /<([A-Z][\w$]*(?:\.[\w$]+)*|svelte:(?:component|self))(?=[\s/>{])/g;

/** Returns what an attribute has before a word, after whole attributes of its tag; `undefined` if the tag has ended. */
function attributeBefore(text: string): string | undefined {
  let at = 0;
  while (at < text.length) {
    attribute.lastIndex = at;
    const [whole] = attribute.exec(text) ?? [];
    if (whole === undefined || whole === '') break;
    at += whole.length;
  }
  const rest = text.slice(at);
  return /^(?:bind:|\{\s*)?$/.test(rest) ? rest.trimEnd() : undefined;
}

/** Blanks, or an attribute with its value: in braces, which may be nested twice, in quotes, or a word. */
const braces = String.raw`\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}`;
const attribute = new RegExp(
  String.raw`\s+|${braces}|[^\s"'>/={}]+(?:\s*=\s*(?:${braces}|"[^"]*"|'[^']*'|[^\s"'>{}]+))?(?=[\s/>{])`,
  'y',
);

/** True if an offset is between the tags of a script or of a style. */
function isInScript(text: string, offset: number): boolean {
  const opened = Math.max(text.lastIndexOf('<script', offset), text.lastIndexOf('<style', offset));
  if (opened === -1) return false;
  const closed = Math.max(text.lastIndexOf('</script', offset), text.lastIndexOf('</style', offset));
  return closed < opened;
}
