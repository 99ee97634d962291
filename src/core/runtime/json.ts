/** A JSON object whose fields are not known yet. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object. */
export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object from untrusted data; anything else becomes an empty one. */
export function object(value: unknown): Json {
  return isRecord(value) ? value : {};
}

/** Reads a list from untrusted data; anything else becomes an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads a string from untrusted data. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Reads a finite number from untrusted data. */
export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
