import type { Call } from '../../core/call.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import { isParameter } from '../../source-text/members/python-derived.ts';
import { definitionsAt } from '../mentions/definitions-at.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { type Class, isRenamed, keyOfClass } from './holding-classes.ts';
import { ImportedBases, nameOfBase } from './imported-bases.ts';
import type { DefinedInBase } from './members-of-bases.ts';

/** A member of every class, which is found wherever the server knows a class. */
export const ofEveryClass = 'mro';

/** Classes with bases that the server does not know. */
interface UnknownBases {
  /** Those whose base is given to a function: it may be any class. */
  readonly given: readonly Class[];
  /** What is not known of the classes whose member is renamed. */
  readonly doubts: readonly Doubt[];
}

/** Returns the classes of which the server does not know a base, and so not what it has. */
export async function unknownBases(
  context: ToolContext,
  some: readonly Class[],
  known: { readonly name: string; readonly found: readonly DefinedInBase[] },
  call: Call,
): Promise<UnknownBases> {
  const given: Class[] = [];
  const open: string[] = [];
  const imported = new ImportedBases(context, known.name, call);
  for (const one of some)
    for (const base of basesWithout(one, known.found)) {
      const name = one.bases[base]?.text ?? '';
      const kind = await kindOf(context, one, base, call);
      if (kind === 'given') given.push(one);
      if (kind === 'unknown' && (await imported.lack(one, base))) continue;
      if (kind !== 'special' && isRenamed(one)) open.push(`${name} (of ${one.name})`);
    }
  if (open.length === 0) return { given, doubts: [] };
  const detail = `The server does not know a base, which may have ${known.name} too: ${nameSome(open)}.`;
  return { given, doubts: [{ kind: 'unverified', detail }] };
}

/** Returns which bases of a class have no member that was asked about, not even the one that every class has. */
function basesWithout(one: Class, found: readonly DefinedInBase[]): readonly number[] {
  const key = keyOfClass(one);
  const own = found.filter(({ holder }) => keyOfClass(holder) === key);
  const known = new Set(own.flatMap(({ base, definitions }) => (definitions.length > 0 ? [base] : [])));
  return [...new Set(own.map(({ base }) => base))].filter((base) => !known.has(base));
}

/** A special form of the language itself, such as `TypedDict`, is no class for a server. */
async function kindOf(
  context: ToolContext,
  one: Class,
  index: number,
  call: Call,
): Promise<'special' | 'given' | 'unknown'> {
  const at = await nameOfBase(context, one, index);
  if (!at) return 'unknown';
  const definitions = (await definitionsAt(context, at, call)) ?? [];
  if (definitions.some(isSpecial)) return 'special';
  const isGiven = await Promise.all(definitions.map((one) => isParameterAt(context, one)));
  return isGiven.includes(true) ? 'given' : 'unknown';
}

function isSpecial({ path, standing }: Span): boolean {
  return standing !== 'inside' && /[\\/]typing(?:_extensions)?\.pyi?$/.test(path);
}

async function isParameterAt(context: ToolContext, { path, range, standing }: Span): Promise<boolean> {
  const document = standing === 'inside' ? await documentAt(context, path) : undefined;
  return document !== undefined && isParameter(document.text, document.offsetAt(range.start));
}
