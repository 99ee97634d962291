import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { failure } from '../../../surfaces/gateway/failure.ts';
import { invalid, named } from './invalid.ts';

/** The error for a tool that is not offered; by a contract with its code. */
export function unknownTool(name: string, contract: true | undefined): ProtocolError {
  const message = `Unknown tool: ${named(name)}`;
  if (!contract) return invalid(message);
  const { code, retryable } = failure('INVALID_PARAMS', message);
  const nextStep = 'Call a tool of tools/list.';
  const told = `${message}. ${nextStep}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, told, { code, retryable, nextStep });
}
