/** What a file-system call gave, or the code with which the system refused it. */
export type Attempt<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: string };

/** Makes one file-system call whose failure is an ordinary outcome. */
export function attempt<T>(call: () => T): Attempt<T> {
  try {
    return { ok: true, value: call() };
  } catch (thrown) {
    if (!(thrown instanceof Error) || !('code' in thrown)) throw thrown;
    return { ok: false, code: String(thrown.code) };
  }
}
