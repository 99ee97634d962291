import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { visibleLine } from '../../../core/wording/visible.ts';

/** Returns the protocol error for invalid parameters. */
export function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Quotes a name from a client for error messages: on one line, and with a bounded length. */
export function named(given: string): string {
  return JSON.stringify(visibleLine(given.slice(0, 200)));
}
