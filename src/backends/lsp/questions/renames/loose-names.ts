import { type Call, cancelSignalOf } from '../../../../core/call.ts';
import { limits } from '../../../../core/limits.ts';
import { comparePositions, contains } from '../../../../core/position.ts';
import type { Place, Span } from '../../../../core/question.ts';
import { isInPattern } from '../../../../source-text/destructuring.ts';
import { isScript } from '../../../../source-text/imports.ts';
import { lexicalAt } from '../../../../source-text/lexical.ts';
import { occurrences } from '../../../../source-text/words.ts';
import { type Document, rangeAt } from '../../../../workspace/texts/document.ts';
import type { Workspace } from '../../../../workspace/workspace.ts';

/** Finds the definitions of the symbol at a place. */
type Means = (place: Place) => Promise<readonly Span[]>;

/** Dependencies for renaming across `exports` and `require`. */
export interface Following {
  readonly workspace: Workspace;
  readonly means: Means;
}

/** True if a word of a script is a variable, and neither a member nor a key nor a method. */
export function isVariable(document: Document, { range }: Pick<Span, 'range'>): boolean {
  const { path, text } = document;
  if (!isScript(path)) return false;
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const before = text.slice(Math.max(0, start - limits.mentions.ahead), start);
  const after = text.slice(end, end + limits.mentions.ahead);
  if (/(?:(?<!\.\.)\.|#)\s*$/.test(before)) return false;
  if (!/[{,]\s*(?:(?:async|get|set)\s+|\*\s*)?$/.test(before)) return true;
  return !/^\s*:/.test(after) && !(/^\s*\(/.test(after) && /\{\s*$|[{,]\s*(?:async|get|set|\*)/.test(before));
}

/** True if a rename changes every variable of a name in a text. */
export function isVariableAlone(document: Document, name: string, changed: readonly Span[]): boolean {
  return wordsOf(document, name)
    .filter(({ kind, range }) => kind === 'code' && isVariable(document, { range }))
    .every(({ range }) => changed.some((span) => comparePositions(span.range.start, range.start) === 0));
}

/**
 * Returns the words that may be uses of a property which modules exchange, and that the server does not resolve: what is
 * taken out of an unknown object, and the keys of objects that stand for a module in tests. `undefined` if more must be known.
 */
export async function untoldUses(
  { workspace, means }: Following,
  name: string,
  known: readonly Span[],
  call: Call,
): Promise<readonly Span[] | undefined> {
  const files = await workspace.mentioning(name, call);
  if (files === undefined) return undefined;
  const found: Span[] = [];
  let asked = 0;
  for (const path of files.filter(isScript)) {
    cancelSignalOf(call).throwIfAborted();
    const document = await workspace.read(path).catch(() => undefined);
    const left = document ? unchangedIn(document, name, known) : [];
    // What declares a script to the compiler is what others see of it.
    if (declaring.test(path) && left.some(({ kind }) => kind === 'code')) return undefined;
    const isMocked = document !== undefined && mocking.test(document.text);
    if (isMocked) found.push(...left.map(({ range }) => spanOf(path, range)));
    const loose = isMocked ? [] : left.filter((word) => document && isTaken(document, word));
    for (const { range } of loose) {
      asked += 1;
      const span = spanOf(path, range);
      if (asked > limits.mentionsAsked || !(await meansOther(means, span, known))) found.push(span);
    }
  }
  return found;
}

function spanOf(path: string, range: Span['range']): Span {
  return { path, range, standing: 'inside' };
}

function isTaken({ path, text }: Document, { kind, offset }: Word): boolean {
  return kind === 'code' && isInPattern(path, text, offset);
}

/** Returns the words of a name in code and strings that a rename leaves. */
function unchangedIn(document: Document, name: string, known: readonly Span[]): readonly Word[] {
  const own = known.filter(({ path }) => path === document.path);
  return wordsOf(document, name).filter(
    ({ kind, range }) => kind !== 'comment' && !own.some((span) => contains(span.range, range.start)),
  );
}

/** The files that declare scripts. */
export const declaring = /\.d\.[cm]?ts$/;

/** Ways to put another object in the place of a module. */
const mocking =
  /\b(?:jest|vi|mock)\.(?:mock|doMock|unstable_mockModule|module)\b|\b(?:proxyquire|rewire|quibble|esmock|mockery|rewiremock)\b|\bmock-require\b|\btd\.replace\b|\bsinon\b/;

/** True if a server resolves a place to another one, and to none of those that are renamed. */
async function meansOther(means: Means, span: Span, known: readonly Span[]): Promise<boolean> {
  const defined = await otherDefinitions(means, span).catch(() => []);
  return defined.length > 0 && !isAnyIn(defined, known);
}

/** Returns what a server says of a place, but for the place itself. */
export async function otherDefinitions(means: Means, { path, range }: Span): Promise<readonly Span[]> {
  const defined = await means({ path, position: range.start });
  return defined.filter((one) => one.path !== path || !contains(one.range, range.start));
}

/** True if one of some definitions begins in one of some spans. */
export function isAnyIn(defined: readonly Span[], spans: readonly Span[]): boolean {
  const isIn = (one: Span) => (span: Span) => one.path === span.path && contains(span.range, one.range.start);
  return defined.some((one) => spans.some(isIn(one)));
}

interface Word extends Pick<Span, 'range'> {
  readonly offset: number;
  readonly kind: 'code' | 'comment' | 'string';
}

function wordsOf(document: Document, name: string): readonly Word[] {
  const { path, text } = document;
  const offsets = occurrences(text, name);
  const kinds = lexicalAt(path, text, offsets);
  return offsets.map((offset, index) => ({
    offset,
    kind: kinds[index] ?? 'code',
    range: rangeAt(document, offset, name.length),
  }));
}
