/**
 * Moves every character in a value by so many: where lines count from 1 on both sides and characters do not. Only
 * numbers are meant, under names that end so; prose stays as it is.
 */
export function shiftCharacters(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shiftCharacters(one, by));
  if (typeof value !== 'object' || value === null) return value;
  return shiftFields(value, by);
}

/** The same for the fields of an object. */
export function shiftFields(value: object, by: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      typeof held === 'number' && isCharacter.test(name) ? held + by : shiftCharacters(held, by),
    ]),
  );
}

/** The same for the fields themselves, and for nothing within them: an edit of the protocol counts as the protocol does. */
export function shiftOwnFields(value: object, by: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, held]) => [
      name,
      typeof held === 'number' && isCharacter.test(name) ? held + by : held,
    ]),
  );
}

const isCharacter = /(^|_)character$/;
