import type { Server } from '@modelcontextprotocol/server';

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
  /** `alone`: a request of the 2025 revisions without a session, who hears of nothing later. */
  readonly era: 'older' | 'alone' | 'modern';
}
