/** Leaves out the fields that are not set, so that laying them over others replaces only what is. */
export function definedFields<T extends object>(fields: T): Given<T> {
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.assign({}, ...set.map(([key, value]) => ({ [key]: value })));
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };
