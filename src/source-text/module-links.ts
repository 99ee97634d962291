import { limits } from '../core/limits.ts';
import { wordsOf } from './words.ts';

/** A name that a text imports from a module, or passes on. */
export interface ImportedName {
  /** As written: `@x/a`, `./cart.js`, `.cart`. */
  readonly module: string;
  /** The name that the module exports: `default` for a default import, `*` for the module as a whole. */
  readonly name: string;
}

/** A place where a text takes a name from a module. */
export interface ModuleLink extends ImportedName {
  /** The entry of a list, the member of the module, or the module itself. */
  readonly start: number;
  readonly end: number;
  /** The name that the text gives it, and where. */
  readonly local?: { readonly name: string; readonly offset: number };
  /** The name under which the text exports it again: `*` for every name of the module under its own. */
  readonly exported?: string;
  /** Set if the text names no part of a module that it loads, as in a function that returns `import(…)`. */
  readonly isWhole?: true;
}

/** Returns every place where a script takes a name from a module, in the order of the text. */
export function scriptLinks(source: string): ModuleLink[] {
  // A list of names may have comments.
  const text = source.replace(comments, (comment) => comment.replace(/[^\n]/g, ' '));
  return [...statementLinks(text), ...callLinks(text)].sort((a, b) => a.start - b.start);
}

/** Returns the places where a text of Python takes a name from a module. */
export function pythonLinks(source: string): ModuleLink[] {
  const text = source.replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
  const named = [...text.matchAll(pythonImport)].flatMap((match) => {
    const [whole, module = '', list = ''] = match;
    const start = match.index + whole.length - list.length;
    return entriesOf(list, start).map((entry) => toLink(module, entry, false));
  });
  const whole = [...text.matchAll(pythonModules)].flatMap((match) => {
    const [all, list = ''] = match;
    return moduleEntries(list, match.index + all.length - list.length);
  });
  return [...named, ...whole].sort((a, b) => a.start - b.start);
}

const pythonModules = /^[ \t]*import[ \t]+([^\n#;]+)/gm;

/** Reads `a.b, c as d`: a module without another name is used by its own, with its dots. */
function moduleEntries(list: string, base: number): ModuleLink[] {
  return [...list.matchAll(/([\w.]+)(?:[ \t]+as[ \t]+(\w+))?/g)].map((match) => {
    const [all, module = '', given = module] = match;
    const start = base + match.index;
    const local = { name: given, offset: start + all.length - given.length };
    return { module, name: '*', start, end: start + all.length, local };
  });
}

/** True if an offset is where the link is written, or the name that it gives. */
export function isLinkAt({ start, end, local }: ModuleLink, offset: number): boolean {
  if (offset >= start && offset < end) return true;
  return local !== undefined && offset >= local.offset && offset < local.offset + local.name.length;
}

/** Comments, but not the slashes of an address in a string. */
const comments = /\/\*[\s\S]*?\*\/|(?<![:'"\w])\/\/[^\n]*/g;

const pythonImport = /^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]*\bimport\b[ \t]*(\([^)]*\)?|(?:\\\n|[^\n#;])*)/gm;

const id = '[\\p{ID_Continue}$]+';

/** An import or a re-export. */
const statement = new RegExp(
  `(?<![\\p{ID_Continue}$.])(import|export)\\b\\s*(?:(?:type|defer)\\b(?!\\s*(?:,|from\\b))\\s*)?` +
    `((?:${id}\\s*(?:,\\s*)?)?(?:\\*\\s*(?:as\\s+${id}\\s*)?|\\{[^{}'"\`;()=]*\\}\\s*)?)\\bfrom\\s*(['"])([^'"\\n]+)\\3`,
  'gu',
);

function statementLinks(text: string): ModuleLink[] {
  return [...text.matchAll(statement)].flatMap((match) => {
    const [whole, verb = '', list = '', quote = '', module = ''] = match;
    const tail = /\bfrom\s*$/.exec(whole.slice(0, -(module.length + 2 * quote.length)))?.[0] ?? '';
    const start = match.index + whole.length - module.length - 2 * quote.length - tail.length - list.length;
    return clauseLinks(module, list, start, verb === 'export');
  });
}

/** Reads `a, * as b` and `a, { b as c }`. */
function clauseLinks(module: string, list: string, start: number, isExport: boolean): ModuleLink[] {
  const open = list.indexOf('{');
  const head = open < 0 ? list : list.slice(0, open);
  const links: ModuleLink[] = [];
  const star = head.indexOf('*');
  const [first] = wordsOf(star < 0 ? head : head.slice(0, star));
  if (first)
    links.push(toLink(module, { name: 'default', given: first.text, ...placed(first, start) }, isExport));
  if (star >= 0) {
    const [, given] = wordsOf(head.slice(star)).map((word) => ({ ...word, start: word.start + star }));
    const place = given ? placed(given, start) : { start: start + star, end: start + star + 1 };
    links.push(toLink(module, { name: '*', given: given?.text ?? '*', ...place }, isExport));
  }
  if (open >= 0)
    links.push(...entriesOf(list.slice(open), start + open).map((entry) => toLink(module, entry, isExport)));
  return links;
}

function placed(word: { readonly start: number; readonly text: string }, base: number) {
  return { start: base + word.start, end: base + word.start + word.text.length };
}

interface Entry {
  readonly name: string;
  readonly given: string;
  readonly start: number;
  readonly end: number;
}

/** Reads the entries of a list: both names of `one as other`, and of `one: other` in a destructuring. */
function entriesOf(list: string, base: number): Entry[] {
  const found: Entry[] = [];
  let at = 0;
  for (const part of list.split(',')) {
    const isRest = /^[\s{(]*\.\.\./.test(part);
    const all = wordsOf(part.replace(/=.*$/s, '')).map((word) => ({ ...word, start: word.start + at }));
    const words = all.length > 1 && all[0]?.text === 'type' && all[1]?.text !== 'as' ? all.slice(1) : all;
    const [first, last] = [words[0], words.at(-1)];
    if (first && last)
      found.push({
        name: isRest ? '*' : first.text,
        given: last.text,
        start: base + first.start,
        end: base + last.start + last.text.length,
      });
    at += part.length + 1;
  }
  return found;
}

function toLink(module: string, { name, given, start, end }: Entry, isExport: boolean): ModuleLink {
  const link = { module, name, start, end };
  if (isExport) return { ...link, exported: given };
  return given === '' ? link : { ...link, local: { name: given, offset: end - given.length } };
}

/** Test frameworks have functions that load a module like `require`. */
const moduleCall =
  /(?<![\p{ID_Continue}$]|(?<!\.\.)\.)(?:require|import|(?:jest|vi)\.(?:require|import)(?:Actual|Mock)(?:<[^<>;]{0,200}>)?|proxyquire|rewire)\s*\(\s*(['"`])([^'"`\n]+)\1\s*(?:,[^()]*)?\)/gu;

/** Reads `require` and the dynamic import: what is taken from the module, and the names that it gets. */
function callLinks(text: string): ModuleLink[] {
  return [...text.matchAll(moduleCall)].flatMap((match) => {
    const [whole, quote = '', module = ''] = match;
    const end = match.index + whole.length;
    const target = assignedBefore(text, match.index);
    const member = memberAfter(text, end);
    if (member?.list !== undefined) return destructured(module, member.list, member.start);
    if (member) return [memberLink(module, member, target)];
    if (target?.isVariable || target?.text.startsWith('{'))
      return destructured(module, target.text, target.start);
    const start = match.index + whole.indexOf(quote) + 1;
    const link = { module, name: '*', start, end: start + module.length };
    const before = text.slice(Math.max(0, match.index - limits.mentions.ahead), match.index);
    if (passingOn.test(before)) return [{ ...link, exported: '*' }];
    if (target) return [{ ...link, exported: target.text }];
    return /\b(?:await|typeof)\s*$/.test(before) ? [link] : [{ ...link, isWhole: true as const }];
  });
}

function memberLink(module: string, { name, start }: Member, target: Assigned | undefined): ModuleLink {
  const link = { module, name, start, end: start + name.length };
  return target?.isVariable ? { ...link, local: { name: target.text, offset: target.start } } : link;
}

const passingOn = /(?:\bmodule\.exports\s*=|\.\.\.|__exportStar\s*\()\s*$/;

function destructured(module: string, list: string, start: number): ModuleLink[] {
  if (list.startsWith('{')) return entriesOf(list, start).map((entry) => toLink(module, entry, false));
  return [toLink(module, { name: '*', given: list, start, end: start + list.length }, false)];
}

interface Assigned {
  readonly text: string;
  readonly start: number;
  /** Else a list, or a property of `exports`. */
  readonly isVariable: boolean;
}

/** Returns what a value at an offset is assigned to: a name, a list in braces, or a property of `exports`. */
function assignedBefore(text: string, offset: number): Assigned | undefined {
  const near = text.slice(Math.max(0, offset - limits.mentions.ahead), offset);
  const sign = /(?::\s*typeof\s+import\s*\([^()]*\)\s*)?(?<![=!<>])=\s*(?:\(\s*)?(?:await\s+)?$/.exec(near);
  if (!sign) return undefined;
  const before = text.slice(0, offset - near.length + sign.index).trimEnd();
  if (before.endsWith('}')) {
    const start = before.lastIndexOf('{');
    const list = before.slice(start);
    return start >= 0 && !/['"`;()]|}./s.test(list) ? { text: list, start, isVariable: false } : undefined;
  }
  const [name = ''] = /[\p{ID_Continue}$]+$/u.exec(before.slice(-limits.mentions.ahead)) ?? [];
  const start = before.length - name.length;
  if (name === '') return undefined;
  if (before[start - 1] !== '.') return { text: name, start, isVariable: true };
  const isExports = /(?<![\p{ID_Continue}$])exports\.$/u.test(before.slice(Math.max(0, start - 9), start));
  return isExports && name !== 'exports' ? { text: name, start, isVariable: false } : undefined;
}

interface Member {
  readonly name: string;
  readonly start: number;
  /** What a callback names the module, or takes from it: `m` in `.then((m) => …)`. */
  readonly list?: string;
}

const callback = new RegExp(
  `^\\s*\\.\\s*then\\s*\\(\\s*(?:async\\b\\s*)?(?:function\\b\\s*(?:${id}\\s*)?)?(?:\\(\\s*)?(${id}|\\{[^{}'"\`;()]*\\})`,
  'u',
);

/** Returns the member that is taken from the module which a call at an offset loads. */
function memberAfter(text: string, offset: number): Member | undefined {
  const rest = text.slice(offset, offset + limits.mentions.statement);
  const [whole, list] = callback.exec(rest) ?? [];
  if (whole !== undefined && list !== undefined)
    return { name: '*', list, start: offset + whole.length - list.length };
  const [all = '', name = ''] = /^\s*\)?\s*\??\.\s*([\p{ID_Continue}$]+)/u.exec(rest) ?? [];
  if (name === '' || /^(?:then|catch|finally)$/.test(name)) return undefined;
  return { name, start: offset + all.length - name.length };
}
