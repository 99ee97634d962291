import type { ServerOutcome, ServerSelector } from '../../../core/backend.ts';
import { type Call, cancelSignalOf, until } from '../../../core/call.ts';
import { asLspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';
import { notTrusted } from '../errors/server-errors.ts';
import type { Router } from '../routing/router.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { isBlockedByTrust } from '../session/trust-gate.ts';

/** Restarts running servers and gives crashed ones another chance; one failure does not affect the others. */
export function restartServers(
  router: Router,
  selector: ServerSelector,
  call: Call,
): Promise<readonly ServerOutcome[]> {
  const concerns = (slot: ServerSlot) => slot.running || slot.supervisor.lastError !== undefined;
  return onEach(router, selector, concerns, call, async (slot) => {
    const { definition, root } = slot;
    const trust = router.trustIn(root, definition);
    if (isBlockedByTrust(() => trust, definition, root)) throw notTrusted(definition, trust);
    await slot.restart(call);
    return 'restarted';
  });
}

/** Stops running servers. Calls that wait for one of them receive an error. */
export function stopServers(
  router: Router,
  selector: ServerSelector,
  call: Call,
): Promise<readonly ServerOutcome[]> {
  return onEach(
    router,
    selector,
    ({ running }) => running,
    call,
    async (slot) => {
      await until(slot.stop(), cancelSignalOf(call));
      return 'stopped';
    },
  );
}

/** Without a matching slot, reports the selected servers as not running; empty if no such server is known. */
async function onEach(
  router: Router,
  selector: ServerSelector,
  concerns: (slot: ServerSlot) => boolean,
  call: Call,
  act: (slot: ServerSlot) => Promise<ServerOutcome['outcome']>,
): Promise<readonly ServerOutcome[]> {
  const chosen = router.slots.filter((slot) => isSelected(slot.definition, selector) && concerns(slot));
  if (chosen.length === 0) return isForAll(selector) ? [] : atRest(router, selector);
  const outcomes = chosen.map(async (slot): Promise<ServerOutcome> => {
    const { definition, root } = slot;
    const told = { id: definition.id, root };
    return act(slot).then(
      (outcome) => ({ ...told, outcome }),
      (thrown: unknown) => {
        const error = asLspanError(thrown);
        if (error.code === 'internal' || (error.code === 'cancelled' && cancelSignalOf(call).aborted))
          throw thrown;
        return { ...told, outcome: 'failed', error: error.message };
      },
    );
  });
  return inOrder(await Promise.all(outcomes));
}

function isForAll({ server, language, extensions }: ServerSelector): boolean {
  return server === undefined && language === undefined && extensions === undefined;
}

/** Prefers installed servers, if there are any: the others cannot start. */
function atRest(router: Router, selector: ServerSelector): readonly ServerOutcome[] {
  const known = [
    ...router.slots,
    ...router
      .present()
      .flatMap(({ root, definitions }) => definitions.map((definition) => ({ root, definition }))),
  ].filter(({ definition }) => isSelected(definition, selector));
  const installed = known.filter(({ definition }) => router.installed.has(definition));
  const byName = new Map(
    (installed.length > 0 ? installed : known).map(({ definition: { id }, root }) => [
      `${id}\0${root}`,
      { id, root, outcome: 'not_running' as const },
    ]),
  );
  return inOrder([...byName.values()]);
}

function inOrder(outcomes: readonly ServerOutcome[]): readonly ServerOutcome[] {
  return [...outcomes].sort((a, b) => (`${a.id}\0${a.root}` < `${b.id}\0${b.root}` ? -1 : 1));
}

/** Returns whether a selector matches a server: every part of it must match. */
function isSelected(
  { id, extensions: served }: ServerDefinition,
  { server, language, extensions }: ServerSelector,
): boolean {
  if (server !== undefined && id !== server) return false;
  if (language !== undefined && !Object.values(served).includes(language)) return false;
  return extensions === undefined || extensions.some((name) => Object.hasOwn(served, name));
}
