import type { Log } from '../../../../src/core/log.ts';
import { createLog } from '../../../../src/frontends/observe/log.ts';
import { redactedLog } from '../../../../src/frontends/observe/redacted-log.ts';
import type { GatewaySettings } from '../server/settings.ts';

/** Opens the log that people read: kinds, outcomes and times; no texts, no tokens, no paths outside the folders. */
export function openGatewayLog(
  write: (line: string) => void,
  { debug }: Pick<GatewaySettings, 'debug'>,
  roots: readonly string[],
): Log {
  return createLog({
    level: debug ? 'debug' : 'info',
    format: 'human',
    write: (line) => write(line.trimEnd()),
    isFull: () => false,
    style: redactedLog(roots),
  });
}
