import { limits } from '../../core/limits.ts';

/**
 * Reports when the process that started lspan has died, even if another process still keeps our pipe open. Node has no
 * event for it, so the number of the parent is polled: an orphan gets another parent.
 */
export function watchParent(onGone: () => void, parent: () => number = () => process.ppid): () => void {
  const first = parent();
  // Started by init, or as the first process of a container: there is no client that could die.
  if (first <= 1) return () => {};
  const timer = setInterval(() => {
    if (parent() === first) return;
    clearInterval(timer);
    onGone();
  }, limits.parentCheckEvery);
  timer.unref();
  return () => clearInterval(timer);
}
