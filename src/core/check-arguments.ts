import { LspanError } from './errors.ts';
import { suggestName } from './wording/nearest-name.ts';

/** A kind of value: its test and its description in messages. */
export interface Kind {
  readonly is: (value: unknown) => boolean;
  readonly said: string;
}

/** Kinds of arguments from programs. */
export const kinds = {
  text: kind((value) => typeof value === 'string' && value !== '', 'a non-empty string'),
  content: kind((value) => typeof value === 'string', 'a string'),
  texts: listOf((value) => typeof value === 'string', 'a list of strings'),
  folders: kind(
    (value) => (Array.isArray(value) ? value : [value]).every((one) => typeof one === 'string' && one !== ''),
    'the path of a folder, or a list of such paths',
  ),
  flag: kind((value) => typeof value === 'boolean', 'true or false'),
  listener: kind((value) => typeof value === 'function', 'a function'),
  /** An object with keys: not a list or a `Map`, in which a check of keys would find none. */
  record: kind(isPlainObject, 'an object'),
  /** Environment variables of a process. */
  variables: kind(
    (value) => isPlainObject(value) && Object.values(Object(value)).every(isVariable),
    'an object whose values are strings',
  ),
  milliseconds: kind(
    (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
    'a number of milliseconds above 0',
  ),
  /** Accepts signals of other realms, too. */
  signal: kind((value) => has(value, ['addEventListener', 'removeEventListener']), 'an AbortSignal'),
} satisfies Readonly<Record<string, Kind>>;

/** Returns the kind whose values are the given words. */
export function oneOf(words: readonly string[]): Kind {
  return kind((value) => words.some((word) => word === value), `one of ${words.join(', ')}`);
}

/** Returns the kind of objects, including class instances, that have these methods. */
export function having(methods: readonly string[]): Kind {
  return kind((value) => has(value, methods), `an object with the methods ${methods.join(', ')}`);
}

/** Returns the kind of values of either kind. */
export function either(one: Kind, other: Kind): Kind {
  return kind((value) => one.is(value) || other.is(value), `${one.said}, or ${other.said}`);
}

/** Returns the kind of lists whose items all pass a test. */
export function listOf(is: Kind['is'], said: string): Kind {
  return kind((value) => Array.isArray(value) && value.every(is), said);
}

/**
 * Refuses arguments of a program that no compiler checked: values of a wrong kind, and unknown keys, which
 * would otherwise be ignored. `undefined` counts as absent.
 * @param whose begins each message: `createBridge`.
 */
export function checkArguments<T>(
  whose: string,
  given: T,
  rows: Readonly<Record<keyof T & string, Kind>>,
): void {
  checkKinds(whose, given, rows);
  const names = Object.keys(rows);
  const unknown = Object.keys(Object(given)).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw wrong(
    `${whose}: There is no setting ${JSON.stringify(unknown)}. ${suggestName(unknown, names)}`,
    names,
  );
}

/** Like `checkArguments`, but allows other keys: a program may pass on an object that has more. */
export function checkKinds<T>(whose: string, given: T, rows: Readonly<Record<keyof T & string, Kind>>): void {
  const named: [string, Kind][] = Object.entries(rows);
  const names = named.map(([name]) => name);
  if (typeof given !== 'object' || given === null)
    throw wrong(`${whose}: The settings must be an object.`, names);
  for (const [name, { is, said }] of named) {
    // Inherited values count, since they will be read.
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && !is(value))
      throw wrong(`${whose}: The setting ${name} must be ${said}.`, names);
  }
}

/** Refuses arguments of `hold` other than a path with a text or `null`; no text does not mean `null`. */
export function checkHeld(file: unknown, text: unknown): void {
  if (typeof file === 'string' && (typeof text === 'string' || text === null)) return;
  throw new LspanError('invalid_input', 'hold: The arguments must be a path, and a text or null.', {
    nextStep: 'Call hold(path, text); hold(path, null) goes back to the text on disk.',
  });
}

/** Refuses a listener that is not a function at once, not at the first notification. */
export function checkListener(listener: unknown): void {
  if (typeof listener === 'function') return;
  throw new LspanError('invalid_input', 'onDiagnostics: The listener must be a function.', {
    nextStep: 'Give a function that takes a file.',
  });
}

function wrong(message: string, names: readonly string[]): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: `Correct the arguments. The settings are: ${names.join(', ')}.`,
  });
}

function kind(is: Kind['is'], said: string): Kind {
  return { is, said };
}

function isPlainObject(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function isVariable(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function has(value: unknown, methods: readonly string[]): boolean {
  return methods.every((method) => typeof Reflect.get(Object(value), method) === 'function');
}
