import { type BridgeOpener, inDaemon, inThisProcess } from '../daemon/client/open-shared.ts';
import { atFarEnd } from '../via/open-via.ts';
import type { CommandSettings, ProcessContext } from './read-settings.ts';

/** Returns how a command opens its bridge: at the far end of a command or in the user's daemon, if that is wanted. */
export function openerOf(
  command: string,
  { environment }: ProcessContext,
  { daemon, via }: Pick<CommandSettings, 'daemon' | 'via'>,
): BridgeOpener {
  const script = process.argv[1];
  if (script === undefined) return inThisProcess;
  if (via) return atFarEnd({ ...via, name: command, environment, script });
  return daemon ? inDaemon({ command, environment, script }) : inThisProcess;
}
