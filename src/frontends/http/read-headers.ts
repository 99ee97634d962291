/** The headers of a request as they came; Node drops or joins those that come twice, and some must not. */
export interface HeaderMap {
  readonly values: ReadonlyMap<string, string>;
  /** The headers that came more than once and are no lists. */
  readonly repeated: ReadonlySet<string>;
}

/** Reads Node's `rawHeaders`: names and values in turn, names in any case. */
export function readHeaders(raw: readonly string[]): HeaderMap {
  const values = new Map<string, string>();
  let repeated: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]?.toLowerCase() ?? '';
    const value = raw[at + 1] ?? '';
    const before = values.get(name);
    if (before === undefined) values.set(name, value);
    else if (lists.has(name)) values.set(name, `${before}, ${value}`);
    else repeated = (repeated ?? new Set()).add(name);
  }
  return { values, repeated: repeated ?? none };
}

const none: ReadonlySet<string> = new Set();

/** Headers whose values are lists by definition, so that several of them say the same as one. */
const lists: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'baggage',
  'cache-control',
  'connection',
  'cookie',
  'forwarded',
  'pragma',
  'te',
  'trailer',
  'tracestate',
  'via',
  'x-forwarded-for',
]);
