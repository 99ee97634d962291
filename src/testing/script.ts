/** Behaviour of a fake server. By default it is a well-behaved small server of a language of words. */
export interface FakeScript {
  /** Seed of everything random; the same seed gives the same run. */
  readonly seed?: number;
  /** Position encoding that it announces and uses. Default: UTF-16, unannounced. */
  readonly positionEncoding?: 'utf-8' | 'utf-16' | 'utf-32';
  /** Merged over the usual capabilities; `null` removes one. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** How diagnostics reach the client. Default `pull`. */
  readonly diagnostics?: 'pull' | 'push' | 'push_unversioned' | 'both' | 'none';
  /** Globs that it registers for watching after `initialized`. */
  readonly watch?: readonly string[];
  /** Further texts that the server knows in addition to the disk, by path relative to the root. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file to which each message of the client is appended as a line of JSON. */
  readonly log?: string;
  /** Deviations from a well-behaved server; all matching rules apply, in order. */
  readonly rules?: readonly Rule[];
}

/** Actions to perform in order when something happens. */
export interface Rule {
  readonly on: /** The client sends this method. */
    | {
        readonly method: string;
        /** 1 is the first message. Default: every message. */
        readonly nth?: number;
      }
    /** The process starts. */
    | { readonly start: true }
    /** This long after the start. */
    | { readonly afterMs: number };
  readonly do: readonly Action[];
}

/** A JSON-RPC error. */
interface ErrorReply {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A message that the server sends on its own. */
interface Sent {
  readonly method: string;
  readonly params?: unknown;
  /** Default 1. */
  readonly times?: number;
}

/**
 * One action of the fake server. A request that no action answered is answered as usual after the last action; an
 * action that changes the form of a message applies to the next message of the same rule.
 */
export type Action =
  /** Replies as usual, before the actions that follow. */
  | { readonly reply: 'auto' }
  /** Replies with this result. */
  | { readonly replyValue: unknown }
  | { readonly replyError: ErrorReply }
  /** Does not reply; on `exit`, keeps running. */
  | { readonly never: true }
  /** Replies as usual, but twice, with an unknown id, with the id as a string, or with a null id. */
  | { readonly replyTwice: true }
  | { readonly replyWrongId: true }
  | { readonly replyStringId: true }
  | { readonly replyNullId: true }
  /** Replies with both result and error, or with neither; both are invalid. */
  | { readonly resultAndError: ErrorReply }
  | { readonly neither: true }
  /** Replies with an empty result. */
  | { readonly emptyResult: true }
  /** Replies with a location in this file, which may be anywhere. */
  | { readonly outsideUri: { readonly uri: string } }
  /** Replies with a WorkspaceEdit for a file, by its name in `edit-patterns.js`; `count` is the size of a large one. */
  | { readonly replyEdit: { readonly pattern: string; readonly uri: string; readonly count?: number } }
  /** Replies with a large result from `large-replies.js`. */
  | {
      readonly replyLarge: {
        readonly kind: 'references' | 'hover' | 'problems' | 'symbols' | 'outline';
        readonly count: number;
        readonly uris?: readonly string[];
        readonly padding?: number;
      };
    }
  /** Replies with a message of this nesting depth. */
  | { readonly depth: number }
  /** Waits before the next action. */
  | { readonly delayMs: number }
  /** Waits until the client sends this method. */
  | { readonly waitFor: string }
  /** Adds `delta` to the content length of the next message. */
  | { readonly badLength: { readonly delta: number } }
  /** Header of the next message, with its blank line; `{length}` is the length of the body. */
  | { readonly header: string }
  /** The next message begins with a byte order mark, contains an invalid UTF-8 byte, or is sent in small parts. */
  | { readonly bom: true }
  | { readonly invalidUtf8: true }
  | { readonly splitEveryByte: true }
  | { readonly splitRandom: true }
  /** Replies with this fraction of the bytes, from 0 to 1. */
  | { readonly partial: number }
  /** Writes lines to stdout that are not messages. */
  | { readonly garbage: readonly string[] }
  /** Writes these raw bytes to stdout. */
  | { readonly rawBytes: { readonly text: string } | { readonly base64: string } }
  /** Writes a header that never ends. */
  | { readonly headerWithoutEnd: { readonly megabytes: number } }
  /** Writes a text repeatedly. */
  | { readonly flood: { readonly megabytes: number; readonly text: string } }
  /** Writes to stderr, with or without newlines. */
  | { readonly stderr: { readonly bytes: number; readonly newline: boolean } }
  /** Sends requests to the client; waits for all replies unless `wait` is false. */
  | { readonly request: Sent & { readonly wait?: boolean } }
  /** Sends a request with the id of the request that is being handled. */
  | { readonly sameIdRequest: Sent }
  /** Sends a notification. */
  | { readonly notify: Sent }
  | {
      readonly progress: {
        readonly token: string | number;
        readonly kind: 'begin' | 'report' | 'end';
        readonly title?: string;
        readonly message?: string;
      };
    }
  /** Ends the process with a code or a signal. */
  | { readonly exit: { readonly code: number } }
  | { readonly signalSelf: `SIG${string}` }
  | { readonly ignoreSigterm: true }
  /** Keeps running when stdin ends. */
  | { readonly ignoreEnd: true }
  /** Stops reading stdin, or reads it slowly. */
  | { readonly stopReadingStdin: true }
  | { readonly slowReader: { readonly everyMs: number } }
  | { readonly closeStream: 'stdin' | 'stdout' | 'stderr' }
  /** Starts a child that never ends, in the same process group; with `inherit` it keeps our pipes open. */
  | { readonly forkGrandchild: { readonly pidFile: string; readonly inherit?: boolean } }
  /** Starts a daemon that never ends: in its own session, and not our child. */
  | { readonly daemonize: { readonly pidFile: string } }
  /** Loops forever. */
  | { readonly busyLoop: true }
  /** Allocates memory and keeps it. */
  | { readonly allocate: { readonly megabytes: number } }
  /** Writes a file, as proof that it ran. */
  | { readonly dropCanary: { readonly file: string } }
  /** Writes `{ env, cwd, argv, descriptors }` as JSON. */
  | { readonly reportEnv: { readonly file: string } };

/** The fake server's log, its reply to `fake/log`. */
export interface FakeLog {
  readonly received: readonly { readonly method: string; readonly id?: number; readonly params?: unknown }[];
  readonly answers: readonly {
    readonly method: string;
    readonly id: number | string;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  }[];
  /** The client's violations of the protocol. */
  readonly complaints: readonly string[];
}
