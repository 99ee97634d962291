import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import { contains } from '../../core/position.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { isPython } from '../../source-text/imports.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Class, classesIn, keyOfClass } from './holding-classes.ts';
import type { RenamedMember } from './known-bases.ts';

/**
 * Returns doubts about `__name` of Python, which means another name in each class: `_Box__name` in `Box`. Where uses stand
 * in several classes, or outside of them, they would be torn from each other.
 */
export async function privateNameDoubts(
  context: ToolContext,
  { name, to, spans }: Pick<RenamedMember, 'name' | 'to' | 'spans'>,
  call: Call,
): Promise<Doubt[]> {
  if (![name, to].some(isPrivate) || !spans.some(({ path }) => isPython(path))) return [];
  const paths = [...new Set(spans.map(({ path }) => path))];
  const unread = new Set<string>();
  const classes = await classesIn(context, paths, { name, spans, unread }, call);
  const holders = new Map(
    spans.map((span) => holderOf(classes, span)).map((one) => [one && keyOfClass(one), one]),
  );
  const written = isPrivate(name) ? await writtenNames(context, [...holders.values()], name, call) : [];
  if (holders.size < 2 && written.length === 0) return [];
  const names = [...holders.values()].map((one) => one?.name ?? 'outside of classes');
  const where = written.length > 0 ? `written as ${nameSome(written)}` : `used in ${nameSome(names)}`;
  const detail = `Python reads names such as ${isPrivate(to) ? to : name} as another one in each class; it is ${where}.`;
  return [{ kind: 'unexpected_edit', detail }];
}

/** True for a name of Python that means another one in each class. */
export function isPrivate(name: string): boolean {
  return name.startsWith('__') && !name.endsWith('__');
}

/** Returns the innermost class around a place; an inner one follows the one around it. */
function holderOf(classes: readonly Class[], { path, range }: Span): Class | undefined {
  return classes.findLast((one) => one.path === path && contains(one.symbol.range, range.start));
}

/** Returns those of the names that Python really gives a private member which the workspace mentions. */
async function writtenNames(
  { workspace }: ToolContext,
  holders: readonly (Class | undefined)[],
  name: string,
  call: Call,
): Promise<readonly string[]> {
  const names = holders.flatMap((one) => (one ? [`_${one.name.replace(/^_+/, '')}${name}`] : []));
  const files = await Promise.all(names.map((one) => workspace.mentioning(one, call)));
  return names.filter((_, index) => (files[index] ?? []).length > 0);
}
