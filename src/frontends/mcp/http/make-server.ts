import type { Server } from '@modelcontextprotocol/server';
import type { Era } from '../fast-path/eras.ts';

/** Makes the SDK's server for one session, or for one request where there are none. */
export type MakeServer = (occasion: ServerOccasion) => {
  readonly server: Server;
  /** Lets go of what the server was given; called once, when the session has ended. */
  readonly close: () => void;
  /** Called when the client begins to listen to what nobody asked for. */
  readonly onListener?: () => void;
};

/** What a server is made for. */
export interface ServerOccasion {
  readonly tokenId: string;
  /** Whoever asks without a session hears of nothing later. */
  readonly era: Era;
}
