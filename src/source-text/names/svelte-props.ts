import { limits } from '../../core/limits.ts';

/** A word of a text. */
interface Part {
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
  return undefined;
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
