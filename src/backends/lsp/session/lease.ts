import type { Call } from '../../../core/call.ts';
import type { Service } from '../../../servers/definition.ts';
import type { ServerSlot } from './server-slot.ts';
import type { Session } from './session.ts';

/** What came of work with a session, and whether it was done again on a new one. */
export interface Worked<T> {
  readonly value: T;
  readonly restarted: boolean;
}

/** Works with the session of a slot: as anybody does, or as who has it alone. */
export type UseSlot = <T>(
  slot: ServerSlot,
  service: Service,
  call: Call,
  work: (session: Session, call: Call) => Promise<T>,
) => Promise<Worked<T>>;

/** One who has servers alone for a while. */
export interface Lease {
  /** Whether a session is of one of the servers. */
  holds(session: Session): boolean;
  /** Makes a session what the lease is for, before it is asked. */
  lay(session: Session): Promise<void>;
  /** Does something until the call or the lease ends, whichever is first; the lease goes when it has ended. */
  run<T>(call: Call, work: (inner: Call) => Promise<T>): Promise<T>;
}

/** Shares a server with everybody who asks about what is on the disk. */
export const useShared: UseSlot = (slot, service, call, work) => slot.useWithin(service, call, work);
