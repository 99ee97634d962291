import { type CancelSignal, CancelSource } from './cancellation.ts';

/**
 * Hears the end of a signal that a program gave us, which may give one for many questions at once: we listen to it once,
 * for Node would warn of a leak where more than ten do. Gives a function that hears no more.
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
