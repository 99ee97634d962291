import { type ClientState, clientStates } from './client-state.ts';
import { clients } from './clients/clients.ts';
import { traceOf } from './clients/find-clients.ts';
import type { FilePlaces } from './file-task.ts';
import type { OwnProcess } from './launch.ts';

/** Renders all known clients: whether each is on this machine, and whether it is set up. */
export function renderClients(
  places: Omit<FilePlaces, 'scope'>,
  own: OwnProcess,
): readonly (readonly [string, string])[] {
  return clients.map((client) => {
    const trace = traceOf(client, places.machine);
    const states = clientStates(client, places, own).flatMap((state) => renderState(state) ?? []);
    const found = trace === undefined ? 'not found' : `found (${trace})`;
    return [client.id, [`${client.title}: ${found}`, ...states].join('; ')] as const;
  });
}

/** Returns what a file says about lspan; `undefined` if there is no entry. */
function renderState({ fault, words, file, isSame, hooks }: ClientState): string | undefined {
  if (fault !== undefined) return `cannot be set up (${fault.message})`;
  if (words === undefined) return undefined;
  const told = hooks === undefined ? '' : `, with hooks in ${hooks}`;
  return `set up in ${file}${isSame ? '' : ', but otherwise than lspan setup would'}${told}`;
}
