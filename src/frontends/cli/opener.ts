import { type BridgeOpener, inDaemon, inThisProcess } from '../daemon/client/open-shared.ts';
import type { CommandSettings, ProcessContext } from './read-settings.ts';

/** Returns how a command opens its bridge: in the user's daemon if that is wanted. */
export function openerOf(
  command: string,
  { environment }: ProcessContext,
  { daemon }: Pick<CommandSettings, 'daemon'>,
): BridgeOpener {
  const script = process.argv[1];
  return daemon && script !== undefined ? inDaemon({ command, environment, script }) : inThisProcess;
}
