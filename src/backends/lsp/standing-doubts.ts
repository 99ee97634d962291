import type { Doubt } from '../../core/doubts.ts';
import type { Service } from './server-definition.ts';
import { inTrouble, partlyWithheld } from './server-troubles.ts';
import type { SessionParts } from './session-parts.ts';

/** Why what a server searches or checks may be incomplete as long as it runs, and what it complains of itself. */
export function standingDoubts(
  parts: SessionParts,
  trouble: string | undefined,
  service: Service,
): readonly Doubt[] {
  const { definition, facts, root, trusts } = parts;
  const own = (definition.doubts?.(facts, service) ?? []).map((doubt) =>
    doubt.kind === 'not_trusted'
      ? partlyWithheld(definition, doubt.detail, trusts(root, definition))
      : { ...doubt, server: definition.id },
  );
  const told = trouble === undefined ? [] : [inTrouble(definition, trouble)];
  return [...own, ...told, ...apart(parts, service)];
}

function apart({ definition, folders }: SessionParts, service: Service): readonly Doubt[] {
  const detail = definition.foldersOf?.apart;
  if (detail === undefined || folders.length < 2 || service !== 'references') return [];
  return [{ kind: 'project_not_loaded', server: definition.id, detail }];
}
