import type { ServerStatus } from '../../core/backend.ts';
import { LspanError } from '../../core/errors.ts';
import { treeMemory } from '../../platform/process-facts.ts';
import type { Router } from './router.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { ServerSlot } from './server-slot.ts';

/** The state of every server that was asked, and of those that could be for the files that are there. */
export async function serverStatuses(router: Router): Promise<readonly ServerStatus[]> {
  const { slots } = router;
  const used = ({ root, definition }: Pick<ServerSlot, 'root' | 'definition'>) =>
    slots.some((slot) => slot.root === root && slot.definition === definition);
  const unused = router
    .present()
    .flatMap(({ root, definitions }) => definitions.map((definition) => ({ root, definition })))
    .filter((one) => !used(one));
  const statuses = [
    ...(await Promise.all(slots.map((slot) => slotStatus(slot, router)))),
    ...unused.map(({ root, definition }) => definitionStatus(definition, root, router)),
  ];
  return statuses.sort((a, b) => (`${a.id}\0${a.root}` < `${b.id}\0${b.root}` ? -1 : 1));
}

/** The state of a server that was asked for at least once. */
async function slotStatus(slot: ServerSlot, router: Router): Promise<ServerStatus> {
  const { definition, root, session, lastError, leftAlone } = slot;
  const base = definitionStatus(definition, root, router);
  const errors = [leftAlone ?? lastError].flatMap((error) => error?.message ?? []);
  const live = session?.alive ? session : undefined;
  if (!live) {
    const state = slot.starting ? 'starting' : lastError ? 'crashed' : 'stopped';
    return {
      ...base,
      state: base.state === 'not_installed' ? base.state : state,
      restarts: slot.restarts,
      lastErrors: [...errors, ...(session?.process.stderrTail(20) ?? [])],
    };
  }
  const memoryBytes = await treeMemory(live.process.pid);
  const { name, version } = live.handshake;
  const told = [name, version].filter((part) => part !== undefined).join(' ');
  return {
    ...base,
    state: live.readiness.known || !live.readiness.tells ? 'ready' : 'indexing',
    pid: live.process.pid,
    ...(told ? { version: told } : {}),
    uptimeSeconds: Math.round((performance.now() - live.startedAt) / 1000),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    restarts: slot.restarts,
    openDocuments: live.documents.count,
    lastErrors: [...errors, ...live.process.stderrTail(20)],
  };
}

/** The state of a server that nobody has asked for yet. */
function definitionStatus(definition: ServerDefinition, root: string, router: Router): ServerStatus {
  const program = router.find(definition);
  const standbyFor = router.preferredTo(definition);
  const missing = program instanceof LspanError;
  return {
    id: definition.id,
    root,
    languages: [...new Set(Object.values(definition.extensions))],
    state: missing ? 'not_installed' : 'not_started',
    ...(missing ? { install: definition.install } : { command: program.real, origin: program.origin }),
    ...(standbyFor === undefined ? {} : { standbyFor }),
    restarts: 0,
    openDocuments: 0,
    lastErrors: missing ? [program.message] : [],
    writes: definition.writes ?? [],
  };
}
