import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { readClientFile } from './client-file.ts';
import type { AgentClient, Scope } from './clients/client.ts';
import { entryFileOf, entryIn, type FilePlaces, fileTasks, hooksTask, wordsIn } from './file-task.ts';
import { launchFor, type OwnProcess } from './launch.ts';

/** What the files of a client say about lspan, for one scope. */
export interface ClientState {
  readonly scope: Scope;
  /** The file of its servers. */
  readonly file: string;
  /** Why it cannot be used, with the place in it. */
  readonly fault?: LspanError;
  /** The words that its entry runs; empty if that connects to an address; `undefined` if there is no entry. */
  readonly words: readonly string[] | undefined;
  /** True if `lspan setup` would change nothing in the entry. */
  readonly isSame: boolean;
  /** The file that has hooks of lspan. */
  readonly hooks: string | undefined;
}

/** Returns the state of a client for each scope that it has. */
export function clientStates(
  client: AgentClient,
  places: Omit<FilePlaces, 'scope'>,
  own: OwnProcess,
): readonly ClientState[] {
  const hasProject = client.project !== undefined && places.project !== undefined;
  const scopes: readonly Scope[] = hasProject ? ['user', 'project'] : ['user'];
  return scopes.map((scope) => stateOf(client, { ...places, scope }, own));
}

function stateOf(client: AgentClient, places: FilePlaces, own: OwnProcess): ClientState {
  const { scope } = places;
  const base = { scope, file: entryFileOf(client, places) };
  const state = resultOrError(() => {
    const options = {
      ...{ launch: launchFor(client, scope, own, places.project), platform: own.platform },
      ...{ rules: false, hooks: undefined },
    };
    const { text } = readClientFile(base.file);
    const entry = entryIn(client, text);
    const hooks = hooksTask(client, places, options);
    const hasHooks = hooks !== undefined && hooks.remove(readClientFile(hooks.file).text, 0).length > 0;
    const [task] = fileTasks(client, places, options);
    const isSame = entry !== undefined && resultOrError(() => task?.add(text).length) === 0;
    return {
      words: entry === undefined ? undefined : wordsIn(entry, client.shape),
      isSame,
      hooks: hasHooks ? hooks.file : undefined,
    };
  });
  return state instanceof LspanError
    ? { ...base, fault: state, words: undefined, isSame: false, hooks: undefined }
    : { ...base, ...state };
}
