import { type CancelSignal, CancelSource } from './cancellation.ts';

/**
 * Calls a listener when a signal aborts; returns a function that removes it. A program may give one signal
 * for many questions: lspan listens to it once, since Node warns of a leak above ten listeners.
 */
export function onAbort(signal: CancelSignal, listener: () => void): () => void {
  if (signal instanceof CancelSource) {
    signal.addEventListener('abort', listener);
    return () => signal.removeEventListener('abort', listener);
  }
  const hearing = heard.get(signal) ?? listenTo(signal);
  hearing.listeners.add(listener);
  return () => {
    hearing.listeners.delete(listener);
    if (hearing.listeners.size === 0) hearing.end();
  };
}

interface Hearing {
  readonly listeners: Set<() => void>;
  end(): void;
}

const heard = new WeakMap<CancelSignal, Hearing>();

function listenTo(signal: CancelSignal): Hearing {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  signal.addEventListener('abort', tell, { once: true });
  const hearing = {
    listeners,
    end: () => {
      signal.removeEventListener('abort', tell);
      if (heard.get(signal) === hearing) heard.delete(signal);
    },
  };
  heard.set(signal, hearing);
  return hearing;
}
