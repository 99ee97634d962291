import type { LastExit, ServerHealth, ServerStatus } from '../../../core/backend.ts';
import { uniqueDoubts } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { instructionHere } from '../../../core/wording/shell-words.ts';
import { treeUse } from '../../../platform/processes/process-facts.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';
import { blockedByTrust } from '../errors/server-errors.ts';
import { nothingFound } from '../process/find-program.ts';
import type { MemoryWatch } from '../process/memory-watch.ts';
import { describeExit, type Exit } from '../process/process-exit.ts';
import { rows } from '../questions/table.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { answers, isBlockedByTrust } from '../session/trust-gate.ts';

/** Returns the status of every server that was asked, and of those that could be for the files present. */
export async function serverStatuses(router: Router): Promise<readonly ServerStatus[]> {
  const { slots } = router;
  const used = ({ root, definition }: Pick<ServerSlot, 'root' | 'definition'>) =>
    slots.some((slot) => slot.root === root && slot.definition === definition);
  const unused = router
    .present()
    .flatMap(({ root, definitions }) => definitions.map((definition) => ({ root, definition })))
    .filter((one) => !used(one));
  const uses = await treeUse(slots.flatMap(({ session }) => (session?.alive ? session.process.pid : [])));
  const statuses = [
    ...slots.map((slot) => slotStatus(slot, router, uses)),
    ...unused.map(({ root, definition }) => definitionStatus(definition, root, router)),
  ];
  return statuses.sort((a, b) => (`${a.id}\0${a.root}` < `${b.id}\0${b.root}` ? -1 : 1));
}

/** Returns the status of a server that was asked at least once. */
function slotStatus(slot: ServerSlot, router: Router, uses: Uses): ServerStatus {
  const { supervisor, session } = slot;
  const base = definitionStatus(slot.definition, slot.root, router);
  const live = session?.alive ? session : undefined;
  const { circuitOpen, circuitOpenFor, lastError, lastExit, stoppedBecause } = supervisor;
  const reason = (circuitOpen ?? lastError)?.message ?? stoppedBecause;
  return {
    ...base,
    // A reason why it cannot start takes precedence.
    ...(live ? liveStatus(live, uses) : base.state === 'not_started' ? { state: restingState(slot) } : {}),
    restarts: supervisor.restarts,
    ...(lastExit ? { lastExit: describeLastExit(lastExit) } : {}),
    ...(circuitOpenFor > 0 ? { leftAloneSeconds: Math.ceil(circuitOpenFor / 1000) } : {}),
    daemonsEnded: supervisor.daemons.map(({ name }) => name),
    lastErrors: [...base.lastErrors, ...(reason === undefined ? [] : [reason])],
    lastWords: supervisor.stderrTail(limits.stderrShown),
  };
}

function liveStatus(live: Session, uses: Uses) {
  const { name, version } = live.handshake;
  const told = [name, version].filter((part) => part !== undefined).join(' ');
  const memoryBytes = uses.get(live.process.pid)?.memory;
  return {
    state: liveState(live),
    pid: live.process.pid,
    ...(live.process.confined ? { confined: true as const } : {}),
    ...(told ? { version: told } : {}),
    uptimeSeconds: Math.round((performance.now() - live.startedAt) / 1000),
    ...(memoryBytes === undefined ? {} : { memoryBytes }),
    answers: answeredBy(live),
    openDocuments: live.documents.paths.length,
    ...loadingOf(live),
    doubts: uniqueDoubts(
      doubtful
        .filter((service) => answers(live.definition, service))
        .flatMap((service) => live.doubtsAbout(service)),
    ),
  } as const;
}

/** Returns the kinds of questions that the server announced and is asked. */
function answeredBy({ capabilities, definition }: Session): readonly string[] {
  return Object.entries(rows)
    .filter(([, { method, capability }]) => capabilities.supports(method, capability))
    .map(([kind]) => kind)
    .filter((kind) => definition.answers?.some((service) => service === kind) !== false);
}

function loadingOf({ readiness: { doing, loadingFor } }: Session): Pick<ServerStatus, 'loading'> {
  if (loadingFor === 0) return {};
  const seconds = Math.round(loadingFor / 1000);
  return { loading: { seconds, ...(doing === undefined ? {} : { doing }) } };
}

/** One service that searches and one that checks: these cover all reasons for doubts. */
const doubtful: readonly Service[] = ['references', 'diagnostics'];

function describeLastExit(exit: Exit): LastExit {
  return {
    how: describeExit(exit),
    secondsAgo: Math.round((performance.now() - exit.at) / 1000),
    livedSeconds: Math.round(exit.lived / 1000),
  };
}

/** Returns the status of a server that has not been asked yet. */
function definitionStatus(definition: ServerDefinition, root: string, router: Router): ServerStatus {
  const program = router.find(definition);
  const standbyFor = router.installed.preferredTo(definition);
  const missing = program instanceof LspanError;
  const trust = router.trustIn(root, definition);
  const blocked = !missing && isBlockedByTrust(() => trust, definition, root);
  return {
    id: definition.id,
    root,
    languages: [...new Set(Object.values(definition.extensions))],
    state: missing ? 'not_installed' : blocked ? 'not_trusted' : 'not_started',
    ...(missing
      ? { install: instructionHere(definition.install) }
      : { command: program.real, origin: program.origin }),
    ...(standbyFor === undefined ? {} : { standbyFor }),
    restarts: 0,
    openDocuments: 0,
    doubts: [],
    daemonsEnded: [],
    lastWords: [],
    spare: missing && router.installed.isSpare(definition),
    lastErrors: missing ? passedBy(definition, program) : blocked ? [blockedByTrust(definition, trust)] : [],
    writes: definition.files?.writes ?? [],
  };
}

/** Returns what went wrong while looking for the program, unless there simply is none. */
function passedBy({ id }: ServerDefinition, { message }: LspanError): readonly string[] {
  return message === nothingFound(id) ? [] : [message];
}

type Uses = Awaited<ReturnType<typeof treeUse>>;

/** Returns the health of the servers asked so far from what is known: probes nothing and starts nothing. */
export function serverHealth(router: Router, memory: MemoryWatch): readonly ServerHealth[] {
  return router.slots.map((slot) => {
    const { session } = slot;
    const live = session?.alive ? session : undefined;
    const memoryBytes = live && memory.lastUseOf(live.process.pid);
    return {
      id: slot.definition.id,
      state: live ? liveState(live) : restingState(slot),
      restarts: slot.supervisor.restarts,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
    };
  });
}

/** Returns the state of a running server. */
function liveState({ readiness: { isReady, hasSignal } }: Session): ServerHealth['state'] {
  if (isReady) return 'ready';
  return hasSignal ? 'indexing' : 'running';
}

/** Returns the state of a server that does not run although it could be started. */
function restingState({ supervisor }: ServerSlot): ServerHealth['state'] {
  if (supervisor.starting) return 'starting';
  return supervisor.lastError ? 'crashed' : 'stopped';
}
