import type { Exchange, HttpReply } from '../../http/exchange.ts';

/**
 * Converts an exchange for the SDK, without its body, which is passed separately, and without the token.
 * Accept was checked by rules that the SDK only partly has: the SDK compares media types literally.
 */
export function webRequest({ method, headers }: Exchange, signal?: AbortSignal): Request {
  const passed = [...headers].filter(([name]) => isPassed(name));
  const accept = `application/json, ${eventStream}`;
  const all = [...passed, ['accept', accept] satisfies [string, string]];
  return new Request('http://localhost/', { method, headers: all, ...(signal && { signal }) });
}

function isPassed(name: string): boolean {
  return name === 'content-type' || name === 'last-event-id' || name.startsWith('mcp-');
}

/** Converts a reply of the SDK for the HTTP server. */
export async function webReply(response: Response): Promise<HttpReply> {
  const { status, body } = response;
  const headers = Object.fromEntries(
    kept.flatMap(([name, told]) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[told, value]];
    }),
  );
  if (!body) return { status, headers };
  if (response.headers.get('content-type')?.startsWith(eventStream)) return { status, headers, body };
  return { status, headers, body: await response.text() };
}

/** The media type of an event stream. */
export const eventStream = 'text/event-stream';

const kept = [
  ['content-type', 'Content-Type'],
  ['mcp-session-id', 'Mcp-Session-Id'],
  ['allow', 'Allow'],
  ['x-accel-buffering', 'X-Accel-Buffering'],
] as const;

/** Returns the reply of `work`, and calls `onEnd` once when it has ended: at once, or with its stream. */
export async function untilItsEnd(work: () => Promise<HttpReply>, onEnd: () => void): Promise<HttpReply> {
  const reply = await work().catch((error) => {
    onEnd();
    throw error;
  });
  if (reply.body instanceof ReadableStream) return { ...reply, body: watched(reply.body, { onEnd }) };
  onEnd();
  return reply;
}

/** Calls `onEnd` once when a stream has ended, for whatever reason; `drained` reads on after a cancel. */
export function watched(
  stream: ReadableStream<Uint8Array>,
  { onEnd, drained = false }: { readonly onEnd: () => void; readonly drained?: boolean },
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  // A stream that is cancelled while it is read ends twice.
  const end = () => {
    if (!ended) onEnd();
    ended = true;
  };
  const drain = async () => {
    while (!(await reader.read()).done);
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error) => {
        end();
        throw error;
      });
      if (!done) return controller.enqueue(value);
      // A cancel ends the pending read too.
      if (!ended) controller.close();
      end();
    },
    async cancel(reason) {
      // The source may have to run to its end, though no client reads it.
      if (drained)
        drain()
          .catch(() => {})
          .finally(end);
      else await reader.cancel(reason).finally(end);
    },
  });
}
