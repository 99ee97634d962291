import { text } from '../../../core/runtime/json.ts';
import type { Session } from '../session/session.ts';

/** One of the names under which a server can be asked for problems: each gives its own. */
export interface PullOption {
  /** Empty where it has none. */
  readonly identifier: string;
  readonly workspace: boolean;
}

/** How a server can be asked for problems; not at all where it publishes them instead. */
export function pullOptions({ capabilities }: Session): readonly PullOption[] {
  const byName = new Map<string, PullOption>();
  for (const options of capabilities.everyOptions('textDocument/diagnostic', 'diagnosticProvider')) {
    const identifier = text(options.identifier) ?? '';
    // A server that changes its mind registers anew before it takes the old registration back.
    byName.set(identifier, { identifier, workspace: options.workspaceDiagnostics === true });
  }
  return [...byName.values()];
}

/** The name as a request carries it. */
export function identifierParam({ identifier }: PullOption): { readonly identifier?: string } {
  return identifier === '' ? {} : { identifier };
}
