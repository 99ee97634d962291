import type { Doubt } from '../../core/doubts.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';
import { type Class, isRenamed } from './holding-classes.ts';

/** Returns a doubt about classes that may have a member because a `Protocol` of Python asks for it, without a base. */
export function protocolDoubts({ workspace }: ToolContext, name: string, classes: readonly Class[]): Doubt[] {
  const renamed = classes.filter(isRenamed);
  const kept = classes.filter((one) => !isRenamed(one) && one.kept.length > 0);
  const apart = kept.filter((one) => renamed.some((other) => mayMatch(one, other) || mayMatch(other, one)));
  if (apart.length === 0) return [];
  const places = apart.flatMap(({ name: holder, path, kept: members }) =>
    members.map(
      ({ selection: { start } }) => `${holder}.${name} (${workspace.show(path)}:${start.line + 1})`,
    ),
  );
  const detail = `Only the name joins a Protocol to the classes that match it, and these stay: ${nameSome(places)}.`;
  return [{ kind: 'unexpected_edit', detail }];
}

/** True if a class may be what a protocol asks for; one without bases has only its own members. */
function mayMatch(protocol: Class, one: Class): boolean {
  if (!protocol.bases.some(isProtocolBase) || one.bases.some(isProtocolBase)) return false;
  const own = new Set(one.symbol.children.map(({ name }) => name));
  return one.bases.length > 0 || protocol.symbol.children.every(({ name }) => own.has(name));
}

function isProtocolBase({ text }: Class['bases'][number]): boolean {
  return /^(?:\w+\.)?Protocol(?:\[|$)/.test(text);
}
