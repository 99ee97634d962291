import { limits } from '../../core/limits.ts';

/**
 * Tells when the process that started lspan has died, although somebody else still holds the pipe to us open.
 * Node hears nothing of a parent's death, so its number is looked at: an orphan gets another parent.
 */
export function watchParent(onGone: () => void, parent: () => number = () => process.ppid): () => void {
  const first = parent();
  // Started by init, or as the first process of a container: there is no client to lose.
  if (first <= 1) return () => {};
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    onGone();
  }, limits.parentCheckEvery);
  timer.unref();
  return () => clearInterval(timer);
}
