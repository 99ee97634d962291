/**
 * Shifts the characters in a value, for a side that counts lines from 1 but characters from 0. Only changes numbers,
 * in fields whose name ends so; prose stays as it is.
 */
export function shiftCharacters(value: unknown, by: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shiftCharacters(one, by));
  if (typeof value !== 'object' || value === null) return value;
  return shiftFields(value, by);
}

/** Like `shiftCharacters`, for the fields of an object. */
export function shiftFields(value: object, by: number): Record<string, unknown> {
  return shiftNumbers(value, by, (field) => shiftCharacters(field, by));
}

/** Like `shiftFields`, but leaves what is inside the fields: an edit of the protocol counts as the protocol does. */
export function shiftOwnFields(value: object, by: number): Record<string, unknown> {
  return shiftNumbers(value, by, (field) => field);
}

function shiftNumbers(value: object, by: number, convert: (field: unknown) => unknown) {
  const shift = ([name, field]: [string, unknown]) => [
    name,
    typeof field === 'number' && isCharacter.test(name) ? field + by : convert(field),
  ];
  return Object.fromEntries(Object.entries(value).map(shift));
}

const isCharacter = /(^|_)character$/;
