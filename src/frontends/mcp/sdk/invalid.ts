import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { visibleLine } from '../../../core/wording/visible.ts';

/** A request that asks for what there is not, as an error of the protocol. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** A name that a client gave, for our own messages: on one line, whatever it holds, and not at any length. */
export function named(given: string): string {
  return JSON.stringify(visibleLine(given.slice(0, 200)));
}
