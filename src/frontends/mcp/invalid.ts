import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

/** A request that asks for what there is not, as an error of the protocol. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
