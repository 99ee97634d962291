import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { readClientFile } from './client-file.ts';
import type { AgentClient, Scope } from './clients/client.ts';
import { clients } from './clients/clients.ts';
import { traceOf } from './clients/find-clients.ts';
import { type FilePlaces, type FileTask, fileTasks, hooksTask } from './file-task.ts';
import { launchFor, type OwnProcess } from './launch.ts';

/** Renders all known clients: whether each is on this machine, and whether it is set up. */
export function renderClients(
  places: Omit<FilePlaces, 'scope'>,
  own: OwnProcess,
): readonly (readonly [string, string])[] {
  return clients.map((client) => {
    const trace = traceOf(client, places.machine);
    const states = scopesOf(client, places).flatMap(
      (scope) => stateOf(client, { ...places, scope }, own) ?? [],
    );
    const found = trace === undefined ? 'not found' : `found (${trace})`;
    return [client.id, [`${client.title}: ${found}`, ...states].join('; ')] as const;
  });
}

function scopesOf({ project }: AgentClient, places: Omit<FilePlaces, 'scope'>): readonly Scope[] {
  return project === undefined || places.project === undefined ? ['user'] : ['user', 'project'];
}

/** Returns what a file says about lspan; `undefined` if there is no entry. */
function stateOf(client: AgentClient, places: FilePlaces, own: OwnProcess): string | undefined {
  const launch = launchFor(client, places.scope, own, places.project);
  const options = { launch, rules: false, hooks: undefined, platform: own.platform };
  const state = resultOrError(() => {
    const [task] = fileTasks(client, places, options);
    if (task === undefined || !isIn(task)) return undefined;
    const isSame = task.add(readClientFile(task.file).text).length === 0;
    const hooks = hooksTask(client, places, options);
    const told = hooks !== undefined && isIn(hooks) ? `, with hooks in ${hooks.file}` : '';
    return `set up in ${task.file}${isSame ? '' : ', but otherwise than lspan setup would'}${told}`;
  });
  return state instanceof LspanError ? `cannot be set up (${state.message})` : state;
}

/** True if a file has what its task adds. */
function isIn({ file, remove }: FileTask): boolean {
  const { text, bytes } = readClientFile(file);
  return bytes !== undefined && remove(text, 0).length > 0;
}
