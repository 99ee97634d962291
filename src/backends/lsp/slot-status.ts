import type { ServerStatus } from '../../core/backend.ts';
import { LspanError } from '../../core/errors.ts';
import { treeMemory } from '../../platform/process-facts.ts';
import type { Program } from './find-program.ts';
import type { ServerDefinition } from './server-definition.ts';
import type { ServerSlot } from './server-slot.ts';

/** Finds a definition's program without starting it. */
export type Find = (definition: ServerDefinition) => Program | LspanError;

/** The state of a server that was asked for at least once. */
export async function slotStatus(slot: ServerSlot, find: Find): Promise<ServerStatus> {
  const { definition, root, session, lastError, leftAlone } = slot;
  const base = definitionStatus(definition, root, find);
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
export function definitionStatus(definition: ServerDefinition, root: string, find: Find): ServerStatus {
  const program = find(definition);
  const missing = program instanceof LspanError;
  return {
    id: definition.id,
    root,
    languages: [...new Set(Object.values(definition.extensions))],
    state: missing ? 'not_installed' : 'not_started',
    ...(missing ? { install: definition.install } : { command: program.real, origin: program.origin }),
    restarts: 0,
    openDocuments: 0,
    lastErrors: missing ? [program.message] : [],
    writes: definition.writes ?? [],
  };
}
