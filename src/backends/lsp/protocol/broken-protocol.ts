import { LspanError } from '../../../core/errors.ts';

/** The error of a server whose bytes cannot be read any further; the reason is a clause. */
export function brokenProtocol(server: string, reason: string): LspanError {
  return new LspanError('server_crashed', `The language server ${server} broke the protocol: ${reason}.`, {
    nextStep: 'Call again: the server is started anew. If it happens again, get_server_status tells more.',
  });
}
