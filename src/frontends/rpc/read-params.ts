import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { isRecord } from '../../core/runtime/json.ts';
import { isId, type RequestId } from '../../jsonrpc/message.ts';

/** The types of parameters, keyed by the names that error messages use. */
interface Kinds {
  readonly string: string;
  readonly 'string?': string | undefined;
  readonly 'string | null': string | null;
  readonly 'boolean?': boolean | undefined;
  readonly 'object?': Readonly<Record<string, unknown>> | undefined;
  readonly id: RequestId;
}

/** The names of parameters, each with its type; others are refused. */
export type Params = Readonly<Record<string, keyof Kinds>>;

/** The type of parameters that were read. */
export type Given<P extends Params> = { readonly [N in keyof P]: Kinds[P[N]] };

/** Reads the parameters of a message; absent ones equal an empty object. Throws `invalid_input`. */
export function readParams<P extends Params>(method: string, params: P, given: unknown = {}): Given<P> {
  if (isGiven(params, given)) return given;
  throw new LspanError('invalid_input', `${method}: ${faultIn(params, given)}.`, {
    nextStep: `Send the params ${shapeOf(params)}.`,
  });
}

/** Returns parameters in the words of error messages. */
function shapeOf(params: Params): string {
  const fields = Object.entries(params).map(([name, kind]) =>
    kind.endsWith('?') ? `${name}?: ${kind.slice(0, -1)}` : `${name}: ${words[kind] ?? kind}`,
  );
  return fields.length === 0 ? '{}, or none' : `{ ${fields.join(', ')} }`;
}

function isGiven<P extends Params>(params: P, given: unknown): given is Given<P> {
  return faultIn(params, given) === undefined;
}

function faultIn(params: Params, given: unknown): string | undefined {
  if (!isRecord(given)) return 'the params are no object';
  const stranger = Object.keys(given).find((name) => !Object.hasOwn(params, name));
  if (stranger !== undefined)
    return `the params have an unknown member ${JSON.stringify(stranger.slice(0, limits.quoted.key))}`;
  const wrong = Object.entries(params).find(([name, kind]) => !checks[kind](given[name]));
  return (
    wrong && `the param ${wrong[0]} is ${Object.hasOwn(given, wrong[0]) ? 'of the wrong kind' : 'missing'}`
  );
}

/** Types whose name alone would not say enough. */
const words: Readonly<Partial<Record<keyof Kinds, string>>> = { id: 'string | whole number' };

const checks: Readonly<Record<keyof Kinds, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  'string?': (value) => value === undefined || typeof value === 'string',
  'string | null': (value) => value === null || typeof value === 'string',
  'boolean?': (value) => value === undefined || typeof value === 'boolean',
  'object?': (value) => value === undefined || isRecord(value),
  id: (value) => isId(value, limits.rpc.id),
};
