import type { HostApi } from '../../../src/tools/host/host-api.ts';
import { openTestBridge, type TestBridge, type TestSetting } from '../../test-bridge.ts';

/** A file with an error and a warning, and one without. */
const files = { 'bad.txt': 'function alpha\n  ERROR_x WARN_y\n', 'good.txt': 'function beta\nbeta\n' };

/** The desk of a test bridge over these files, or others. */
export async function openTestDesk(
  setting: TestSetting = {},
): Promise<{ readonly bridge: TestBridge; readonly desk: HostApi }> {
  const bridge = await openTestBridge({ files, ...setting });
  if (!bridge.hostApi) throw new Error('There is a workspace.');
  return { bridge, desk: bridge.hostApi };
}
