import type { ServerContext } from '@modelcontextprotocol/server';
import type { Notify } from '../progress.ts';

/** How a caller is told of progress; nothing where it did not ask. */
export function notifyOf({ mcpReq }: ServerContext): Notify | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (step) => mcpReq.notify({ method: 'notifications/progress', params: { progressToken, ...step } });
}
