import { asLspanError, type LspanError } from '../errors.ts';

/** Returns the result of a function, or its error as a value. */
export function resultOrError<T>(find: () => T): T | LspanError {
  try {
    return find();
  } catch (error) {
    return asLspanError(error);
  }
}
