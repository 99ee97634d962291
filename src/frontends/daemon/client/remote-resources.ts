import type { Bridge } from '../../../bridge.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import { isRecord, list, object } from '../../../core/runtime/json.ts';
import { SerialisedJson } from '../../../core/runtime/serialised-json.ts';
import type { McpResources } from '../../../tools/host/resources.ts';
import type { Outcome } from '../../../tools/run/tool.ts';
import { AnswerWithJson, isConnectionEnd } from '../channel.ts';
import type { DaemonConnection } from './daemon-connection.ts';

/** Returns the MCP resources of a workspace whose work the daemon does. */
export function resourcesOver(connection: DaemonConnection): McpResources {
  const ask = async <T>(
    method: string,
    params: object,
    read: (value: unknown) => T,
    here: (resources: McpResources) => T | Promise<T>,
    options?: { readonly signal?: CancelSignal; readonly report?: (message: string) => void },
  ): Promise<T> => {
    const once = async () => {
      const used = await connection.use();
      if ('own' in used) return here(resourcesIn(used.own));
      return read(await used.request(method, params, options));
    };
    return once().catch((thrown: unknown) => {
      if (!isConnectionEnd(thrown) || options?.signal?.aborted) throw thrown;
      // It only reads, so the next process is asked once more.
      return once();
    });
  };
  return {
    filesWithProblems: () => ask('files_with_problems', {}, textsIn, (here) => here.filesWithProblems()),
    problemsOf: (file, options = {}) =>
      ask('problems_of', { file }, outcomeIn, (here) => here.problemsOf(file, options), options),
    locate: (file) => ask('locate', { file }, String, (here) => here.locate(file)),
    onProblems: (listener) => connection.onProblems(listener),
    completePath: (typed, signal, scope) =>
      ask('complete_path', { typed }, matchesIn, (here) => here.completePath(typed, signal, scope), {
        signal,
      }),
    completeSymbol: (typed, file, signal, scope) => {
      const here = (resources: McpResources) => resources.completeSymbol(typed, file, signal, scope);
      return ask('complete_symbol', { typed, file }, matchesIn, here, { signal });
    },
  };
}

function resourcesIn({ resources }: Bridge): McpResources {
  if (resources) return resources;
  throw new LspanError('not_found', 'There is no workspace.');
}

type Matches = Awaited<ReturnType<McpResources['completePath']>>;

function matchesIn(value: unknown): Matches {
  return isMatches(value) ? value : { values: [], total: 0 };
}

function isMatches(value: unknown): value is Matches {
  return isRecord(value) && Array.isArray(value.values) && typeof value.total === 'number';
}

function textsIn(value: unknown): readonly string[] {
  return list(value).filter((one) => typeof one === 'string');
}

/** Reads an outcome that the daemon has sent. */
export function outcomeIn(answer: unknown): Outcome {
  if (answer instanceof AnswerWithJson && isOutcome(answer.value))
    return new RemoteOutcome(answer.value, answer.json);
  throw new LspanError('internal', 'The daemon answered what is no answer.');
}

type Told = Pick<Outcome, 'text' | 'isError' | 'doubts' | 'doubtLines'>;

function isOutcome(value: unknown): value is Told {
  return isRecord(value) && typeof value.text === 'string' && typeof value.isError === 'boolean';
}

/** An outcome whose data is parsed only if somebody reads it. */
class RemoteOutcome implements Outcome {
  readonly text: string;
  readonly isError: boolean;
  readonly doubts: readonly Doubt[];
  readonly doubtLines: readonly string[];
  readonly serialised: SerialisedJson;
  #data: Outcome['data'] | undefined;

  constructor({ text, isError, doubts = [], doubtLines = [] }: Told, data: string) {
    this.text = text;
    this.isError = isError;
    this.doubts = doubts;
    this.doubtLines = doubtLines;
    this.serialised = new SerialisedJson(data);
  }

  get data(): Outcome['data'] {
    this.#data ??= object(this.serialised.toJSON());
    return this.#data;
  }
}
