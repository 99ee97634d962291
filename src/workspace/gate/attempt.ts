/** The result of a file-system call, or the code of its error. */
type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly code: string };

/** Makes one file-system call whose failure is an ordinary outcome. */
export function attempt<T>(call: () => T): Attempt<T> {
  try {
    return { ok: true, value: call() };
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('code' in thrown)) throw thrown;
    return { ok: false, code: String(thrown.code) };
  }
}
