import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';

/** Whether a request of the 2026 revision says that its client has a capability. */
export function clientCan({ mcpReq }: ServerContext, capability: string): boolean {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return typeof capabilities === 'object' && capabilities !== null && capability in capabilities;
}
