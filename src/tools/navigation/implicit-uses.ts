import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { limits } from '../../core/limits.ts';
import { contains, type Range } from '../../core/position.ts';
import type { OutlineSymbol, Place, Span } from '../../core/question.ts';
import { isC } from '../../source-text/c-files.ts';
import { isPassedOn, type LineAround, makingsIn } from '../../source-text/enclosing/class-values.ts';
import { definitionsAt, spanOf } from '../mentions/definitions-at.ts';
import { namePlaces } from '../mentions/mentions.ts';
import { type AskedBeside, askedBeside } from '../run/asked-beside.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';

/** Methods that a language calls by itself; those of the first kind where an instance of the class is made. */
const constructors: ReadonlySet<string> = new Set(['__init__', '__new__', '__construct', 'constructor']);
const implicit = /^__\w+__$/;

/**
 * Returns the uses of a method where its name is not written. Those of a constructor are the calls of its class, and
 * of the classes that inherit it; for other methods there is only a doubt.
 */
export async function implicitUses(
  context: ToolContext,
  { name, place }: { readonly name: string; readonly place: Place },
  usesOf: UsesOf,
  call: Call,
): Promise<Reply<readonly Span[]>> {
  if (constructors.has(name)) return callsOfClass(context, { name, place }, usesOf, call);
  if (isCpp(place.path)) return { answer: [], doubts: await doubtsOfCpp(context, place, call) };
  const isCalled = implicit.test(name) && (await isFunctionAt(context, place, call));
  return { answer: [], doubts: isCalled ? [calledByLanguage(name)] : [] };
}

/** True if a function or method is declared at a place, or may be: a variable may have such a name too. */
async function isFunctionAt(context: ToolContext, { path, position }: Place, call: Call): Promise<boolean> {
  const { value: outline } = await askedBeside(context.outlines.of(context, path, call), '', call);
  const isAt = ({ kind, selection, children }: OutlineSymbol): boolean =>
    (contains(selection, position) && (kind === 'method' || kind === 'function')) || children.some(isAt);
  return outline === undefined || outline.answer.some(isAt);
}

/** True for a file that may be one of C++. */
function isCpp(path: string): boolean {
  return isC(path) && !/\.[cm]$/.test(path);
}

/** Returns a doubt if a member of C++ is declared at a place, or by what is used there, that the language calls by itself. */
async function doubtsOfCpp(context: ToolContext, place: Place, call: Call): Promise<readonly Doubt[]> {
  const here = { path: place.path, range: { start: place.position, end: place.position } };
  let own = await declaredAt(context, place, call);
  if (!own) {
    const [defined] = (await definitionsAt(context, { ...here, standing: 'inside' }, call)) ?? [];
    if (defined?.standing !== 'inside') return [];
    own = await declaredAt(context, { path: defined.path, position: defined.range.start }, call);
  }
  if (!own) return [];
  const name = own.name.replace(/^(?:\w+::)+/, '');
  const isOfLanguage = operators.test(name) || (own.kind === 'method' && calledInCpp.has(name));
  if (!isOfLanguage && own.kind !== 'constructor') return [];
  const what = isOfLanguage ? name : `The constructor ${name}`;
  return [{ kind: 'unverified', detail: `${what} may also be called where its name is not written.` }];
}

/** Returns the symbol whose name is at a place. */
async function declaredAt(
  context: ToolContext,
  { path, position }: Place,
  call: Call,
): Promise<OutlineSymbol | undefined> {
  const { value: outline } = await askedBeside(context.outlines.of(context, path, call), '', call);
  const find = (symbols: readonly OutlineSymbol[]): OutlineSymbol | undefined => {
    for (const symbol of symbols) {
      const found = contains(symbol.selection, position) ? symbol : find(symbol.children);
      if (found) return found;
    }
    return undefined;
  };
  return find(outline?.answer ?? []);
}

/** Operators, conversions and destructors of C++. */
const operators = /^(?:operator\b|~)/;

/** Methods that a loop over a range calls, and those of coroutines. */
const calledInCpp: ReadonlySet<string> = new Set(
  (
    'begin end get_return_object initial_suspend final_suspend unhandled_exception return_void return_value yield_value ' +
    'await_transform await_ready await_suspend await_resume'
  ).split(' '),
);

function calledByLanguage(name: string): Doubt {
  return { kind: 'unverified', detail: `${name} is also called where its name is not written.` };
}

/** Finds the uses of the class whose name is at a place. */
type UsesOf = (place: Place) => Promise<Reply<readonly Span[]>>;

async function callsOfClass(
  context: ToolContext,
  { name, place: { path, position } }: { readonly name: string; readonly place: Place },
  usesOf: UsesOf,
  call: Call,
): Promise<Reply<readonly Span[]>> {
  const [found, unknown, doubts]: [Span[], Span[], Doubt[]] = [[], [], []];
  const own = await classAt(context, name, { path, position }, call);
  doubts.push(...own.doubts);
  const classes = own.value ? [classIn(path, own.value)] : [];
  // The list grows during the loop: a class without a constructor of its own has that of its base.
  for (const one of classes) {
    if (classes.length > limits.candidates.outlines) break;
    unknown.push(...(await madeByThemselves(context, one)));
    const uses = await usesOf(one);
    doubts.push(...uses.doubts);
    for (const span of uses.answer) {
      const role = await roleOf(context, span);
      if (role === 'call') found.push(span);
      if (role === 'value') unknown.push(span);
      if (role !== 'base') continue;
      const heirs = await heirsAt(context, name, span, call);
      classes.push(...heirs.answer);
      doubts.push(...heirs.doubts);
    }
  }
  return { answer: found, doubts: [...doubts, ...madeElsewhere(context, name, unknown)] };
}

/** A class, at its name. */
interface ClassPlace extends Place {
  readonly range: Range;
}

function classIn(path: string, { selection, range }: OutlineSymbol): ClassPlace {
  return { path, position: selection.start, range };
}

/** Returns where a class makes an instance of the class that it is called on, which may be one that inherits it. */
async function madeByThemselves(context: ToolContext, { path, range }: ClassPlace): Promise<readonly Span[]> {
  const document = await documentAt(context, path);
  if (!document) return [];
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return makingsIn(path, document.text, from, to).map((offset) => spanOf(document, offset));
}

function madeElsewhere({ workspace }: ToolContext, name: string, unknown: readonly Span[]): readonly Doubt[] {
  if (unknown.length === 0) return [];
  const calls = unknown.length === 1 ? 'place' : 'places';
  const detail = `${name} may also be called through its class as a value (${unknown.length} ${calls}): ${namePlaces(workspace, unknown)}`;
  return [{ kind: 'unverified', detail }];
}

/** Returns what a class is used for, as far as that matters for its constructor. */
async function roleOf(context: ToolContext, span: Span): Promise<'base' | 'call' | 'value' | undefined> {
  const around = await textAround(context, span);
  if (around === undefined) return undefined;
  if (inherits.test(around.before)) return 'base';
  if (around.after.startsWith('(')) return declares.test(around.before) ? undefined : 'call';
  return isPassedOn(span.path, around) ? 'value' : undefined;
}

/** Before the name of a class that is declared. */
const declares = /\bclass\s+$/;

/** Before the name of a base class. */
const inherits = /^\s*class\s+\w+\s*\([^)]*$/;

async function textAround(
  context: ToolContext,
  { path, range, standing }: Span,
): Promise<LineAround | undefined> {
  const document = standing === 'inside' ? await documentAt(context, path) : undefined;
  if (!document) return undefined;
  const before = document.line(range.start.line).slice(0, range.start.character);
  return { before, after: document.line(range.end.line).slice(range.end.character) };
}

/** Returns the class whose list of bases holds the span, unless it has a constructor of its own. */
async function heirsAt(
  context: ToolContext,
  name: string,
  { path, range }: Span,
  call: Call,
): Promise<Reply<readonly ClassPlace[]>> {
  const { value: heir, doubts } = await classAt(context, name, { path, position: range.start }, call);
  if (!heir || heir.children.some((child) => child.name === name)) return { answer: [], doubts };
  return { answer: [classIn(path, heir)], doubts };
}

/** Returns the innermost class around a place. */
async function classAt(
  context: ToolContext,
  name: string,
  { path, position }: Place,
  call: Call,
): Promise<AskedBeside<OutlineSymbol>> {
  const unknown = `Calls of a class that lead to this ${name} may be missing. Call again.`;
  const { value, doubts } = await askedBeside(context.outlines.of(context, path, call), unknown, call);
  return { value: innermost(value?.answer ?? [], position), doubts };
}

function innermost(symbols: readonly OutlineSymbol[], position: Range['start']): OutlineSymbol | undefined {
  for (const symbol of symbols) {
    if (!contains(symbol.range, position)) continue;
    const inner = innermost(symbol.children, position);
    if (inner) return inner;
    if (symbol.kind === 'class') return symbol;
  }
  return undefined;
}
