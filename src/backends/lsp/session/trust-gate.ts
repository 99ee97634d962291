import type { Doubt } from '../../../core/doubts.ts';
import type { Trust } from '../../../core/trust.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';
import { blockedByTrustDoubt } from '../errors/server-errors.ts';

/** Returns whether a server may run code from a root. */
export type TrustLookup = (root: string, definition: ServerDefinition) => Trust;

/** True if a server is not asked, for a service or at all, because it would run untrusted code. */
export function isBlockedByTrust(
  trusts: TrustLookup,
  definition: ServerDefinition,
  root: string,
  service?: Service,
): boolean {
  const { runs, answersWithout } = definition.trust ?? {};
  if (runs === undefined) return false;
  const harmless = service === undefined ? answersWithout !== undefined : answersWithout?.includes(service);
  return harmless !== true && !trusts(root, definition).granted;
}

/**
 * Returns a doubt for each of these servers that would answer a service if the root were trusted. A linter that the user
 * never trusted is none: the problems of the language are known without it, and the status shows it.
 */
export function blockedByTrustDoubts(
  trusts: TrustLookup,
  definitions: readonly ServerDefinition[],
  root: string,
  { service, ordered }: { readonly service: Service; readonly ordered: boolean },
): readonly Doubt[] {
  const able = definitions.filter((definition) => answers(definition, service));
  const blocked = able.filter((definition) => isBlockedByTrust(trusts, definition, root, service));
  const asked = able.filter((definition) => !blocked.includes(definition));
  const isAnswered = asked.length > 0;
  return (
    blocked
      // Where the user orders them, no rank decides.
      .filter((definition) => ordered || !asked.some((other) => replaces(other, definition)))
      .map((definition) => ({ definition, trust: trusts(root, definition) }))
      .filter(({ definition, trust }) => !isAnswered || trust.brief !== undefined || !isLinter(definition))
      .map(({ definition, trust }) => blockedByTrustDoubt(definition, trust))
  );
}

/** Returns whether a server is asked in place of another one, which would not be asked even if it were trusted. */
function replaces(one: ServerDefinition, other: ServerDefinition): boolean {
  return one.group !== undefined && one.group === other.group && (one.rank ?? 0) >= (other.rank ?? 0);
}

const knowing: ReadonlySet<Service> = new Set(['definition', 'symbols', 'outline']);

/** Returns whether a server only checks files, and does not know the symbols in them. */
function isLinter({ answers: services }: ServerDefinition): boolean {
  return services?.some((service) => knowing.has(service)) === false;
}

/** Returns whether a definition says that its server answers a service. */
export function answers(definition: ServerDefinition, service: Service): boolean {
  if (definition.isStatic && needsPresent.has(service)) return false;
  return definition.answers?.includes(service) ?? true;
}

/** Changes and problems must be of the files as they are: a server that reads an index is not asked. */
const needsPresent: ReadonlySet<Service> = new Set(['rename', 'moves', 'actions', 'format', 'diagnostics']);
