import { basename, dirname } from 'node:path';
import { limits } from '../../core/limits.ts';

/** A place of a text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** A component of Vue that emits an event. */
export interface Emitter {
  readonly file: string;
  /** Whether a tag of this name is that of another component of the workspace. */
  isOther(tag: string): boolean;
}

/** Returns the name by which templates may call a name of a script: `item-added` for `itemAdded`. */
export function toKebab(name: string): string {
  return name.replace(/\B([A-Z])/g, '-$1').toLowerCase();
}

/** True if a component of Vue declares or emits an event by the name at an offset. */
export function isEmittedAt(file: string, text: string, offset: number): boolean {
  if (!file.endsWith('.vue')) return false;
  const around = before(text, offset);
  return declared.test(around) || declaredAsOption.test(around) || emitted.test(around);
}

const declared =
  /\bdefineEmits\s{0,9}[<(](?:(?!\bdefine[A-Z]|<\/script|\n[ \t]{0,9}(?:const|let|function|import)\b)[^;\]]|;(?!\s{0,99}\n\s{0,99}\n)|\](?!\s{0,9}\))){0,4000}$/;
const declaredAsOption =
  /\bemits\s{0,9}:\s{0,9}(?:\[[^\]]{0,4000}|\{(?:(?!<\/script|\b(?:data|setup|methods|computed|watch|props)\s{0,9}[(:])[\s\S]){0,4000})$/;
const emitted = /\$?\bemit\s{0,9}\(\s{0,99}["'`]$/;

/** Returns where the text of a file may listen to an event of a component, or, if it is the component's own, emits it. */
export function eventMentions(file: string, text: string, event: string, emitter: Emitter): readonly Part[] {
  const found: Part[] = [];
  const imported = importsOf(text);
  for (const name of new Set([event, toKebab(event)])) {
    const words = new RegExp(`(?<![\\w$-])${name.replace(/\W/g, '\\$&')}(?![\\w$-])`, 'g');
    for (const { index } of text.matchAll(words)) {
      const isMeant =
        file === emitter.file ? emitted.test(before(text, index)) : listensAt(text, index, emitter, imported);
      if (isMeant) found.push({ start: index, end: index + name.length });
    }
  }
  const handler = new RegExp(
    `(?<![\\w$-])on${event.charAt(0).toUpperCase()}${event.slice(1)}(?=["']?\\s{0,9}[=:(])`,
    'g',
  );
  if (file !== emitter.file)
    for (const { index, 0: match } of text.matchAll(handler))
      found.push({ start: index, end: index + match.length });
  return found;
}

function before(text: string, at: number): string {
  return text.slice(Math.max(0, at - limits.mentions.statement), at);
}

/** True if an attribute at an offset listens to an event of a component that may be the emitter. */
function listensAt(
  text: string,
  at: number,
  { file, isOther }: Emitter,
  imported: ReadonlyMap<string, string>,
): boolean {
  if (!/\s(?:@|v-on:)$/.test(text.slice(Math.max(0, at - ' v-on:'.length), at))) return false;
  const tag = /^<([A-Za-z][\w.-]{0,100})/.exec(lastTag(before(text, at)))?.[1];
  // A name in lower case is that of an element of HTML.
  if (tag === undefined || /^[a-z\d]+$/.test(tag)) return tag === 'component';
  const component = tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const module = imported.get(component);
  if (module?.endsWith('.vue')) return stemOf(module) === stemOf(file);
  return module !== undefined || !isOther(component);
}

/** Returns the modules from which a text imports names. */
function importsOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, names = '', module = ''] of text.matchAll(imports))
    for (const [name] of names.matchAll(/[\w$]+/g)) found.set(name, module);
  return found;
}

const imports = /\bimport\s([^'";]{1,300})["']([^"'\n]{1,300})["']/g;

function lastTag(text: string): string {
  const opened = /<[A-Za-z](?:[^<]|<(?![A-Za-z/])){0,4000}$/.exec(text);
  return opened?.[0] ?? '';
}

/** Returns the name of the component that a file holds. */
export function stemOf(file: string): string {
  const stem = basename(file, '.vue');
  return stem === 'index' ? basename(dirname(file)) : stem;
}
