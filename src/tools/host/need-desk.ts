import { noWorkspace } from '../../workspace/no-workspace.ts';
import type { Desk } from './host-api.ts';

/** The desk of a bridge, which has one wherever a workspace is known. Throws what every call is told elsewhere. */
export function needDesk(desk: Desk | undefined): Desk {
  if (desk === undefined) throw noWorkspace();
  return desk;
}
