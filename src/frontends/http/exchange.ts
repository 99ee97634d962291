import type { CancelSource } from '../../core/runtime/cancellation.ts';

/** An admitted request: its client is authenticated and its headers are valid. */
export interface Exchange {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Keyed by lower-case name; has no header that was repeated and must not be. */
  readonly headers: ReadonlyMap<string, string>;
  /** The JSON body of a POST; the endpoint checks that it is a valid message. */
  readonly body: unknown;
  /** Identifies the token: equal for equal tokens. Neither logged nor sent to any client. */
  readonly tokenId: string;
  /** Aborts when the client disconnects, its token is revoked, or the HTTP server closes. */
  readonly gone: CancelSource;
}

/** The reply to an exchange. The HTTP server adds the headers that every reply has. */
export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is written as it is produced, and cancelled when the client disconnects. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** True for a stream without an end of its own, which is not a call; that of a GET never has one. */
  readonly streaming?: boolean;
}

/** Answers an admitted request; never rejects because of what a client sent. */
export type Serve = (exchange: Exchange) => Promise<HttpReply>;
