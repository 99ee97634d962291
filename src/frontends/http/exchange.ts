import type { CancelSource } from '../../core/runtime/cancellation.ts';

/** A request that was let in: it is known who asks, and nothing about the way it came is in doubt. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** By names in lower case; none that came twice and must not. */
  readonly headers: ReadonlyMap<string, string>;
  /** The JSON that a POST carries; whether it is a message, and one that fits, is for the endpoint to say. */
  readonly body: unknown;
  /** Who asks: the same for the same token. Neither logged nor told to anybody. */
  readonly tokenId: string;
  /** Ends when the client has gone, when its token holds no more, and when the door closes. */
  readonly gone: CancelSource;
}

/** What is answered to an exchange. Headers that every answer has are added by the door. */
export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is written as it comes, and cancelled when the client goes. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Whether the stream has no end of its own, so that it is no call under way; that of a GET never has. */
  readonly streaming?: boolean;
}

/** Answers what was let in; never rejects for what a client sent. */
export type Serve = (exchange: Exchange) => Promise<HttpReply>;
