import type { Server } from '@modelcontextprotocol/server';
import type { Era } from '../fast-path/eras.ts';
import type { ToldDoubts } from '../told-doubts.ts';

/** Makes the SDK's server for one session, or for one request without a session. */
export type MakeServer = (occasion: ServerOccasion) => {
  readonly server: Server;
  /** Releases the resources of the server; called once, when the session has ended. */
  readonly close: () => void;
  /** Called when the client opens the stream for unsolicited messages. */
  readonly onListener?: () => void;
};

/** The session or request that a server is made for. */
interface ServerOccasion {
  readonly tokenId: string;
  /** A caller without a session gets no later notifications. */
  readonly era: Era;
  /** The doubts that the session was told. */
  readonly told?: ToldDoubts;
}
