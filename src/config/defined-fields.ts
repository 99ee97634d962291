/** Drops `undefined` fields, so that spreading the result over other fields replaces only those that are set. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.assign({}, ...set.map(([key, value]) => ({ [key]: value })));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
