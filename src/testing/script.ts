/** What a fake server is and does. Without anything it is a decent small language server, of a language of words. */
export interface FakeScript {
  /** For what is random: the same seed, the same course. */
  readonly seed?: number;
  /** The units in which it counts columns, which it announces; unannounced UTF-16 when absent. */
  readonly positionEncoding?: 'utf-8' | 'utf-16' | 'utf-32';
  /** Laid over the usual capabilities; `null` takes one away. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
  /** How problems reach the client; `pull` when absent. */
  readonly diagnostics?: 'pull' | 'push' | 'push_unversioned' | 'both' | 'none';
  /** Globs that are registered for watching once the client is initialized. */
  readonly watch?: readonly string[];
  /** Texts by path below the root that the server knows beside those on the disk. */
  readonly files?: Readonly<Record<string, string>>;
  /** A file that gets each message of the client as a line of JSON. */
  readonly log?: string;
  /** Where it differs from a decent server; all rules that fit are followed, in their order. */
  readonly rules?: readonly Rule[];
}

/** When something happens, what is done, one action after the other. */
export interface Rule {
  readonly on: /** A message of the client. */
    | {
        readonly method: string;
        /** The first is 1; each when absent. */
        readonly nth?: number;
      }
    /** The process begins. */
    | { readonly start: true }
    /** So long after that. */
    | { readonly afterMs: number };
  readonly do: readonly Action[];
}

/** An error of JSON-RPC. */
interface ErrorReply {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What the server sends by itself. */
interface Sent {
  readonly method: string;
  readonly params?: unknown;
  /** How many of it; one when absent. */
  readonly times?: number;
}

/**
 * One thing that the fake server does. A request that no action answered is answered as usual
 * after the last; shapes count for the next message of the same rule.
 */
export type Action =
  /** Replies as usual, before the actions that follow. */
  | { readonly reply: 'auto' }
  /** Replies with this result, whatever it is. */
  | { readonly replyValue: unknown }
  | { readonly replyError: ErrorReply }
  /** No reply; for `exit`: stays. */
  | { readonly never: true }
  /** Replies as usual, but: twice, under an id that nobody gave, under the id as a string, or under none. */
  | { readonly replyTwice: true }
  | { readonly replyWrongId: true }
  | { readonly replyStringId: true }
  | { readonly replyNullId: true }
  /** Replies with both, or with neither, which no reply may have. */
  | { readonly resultAndError: ErrorReply }
  | { readonly neither: true }
  /** Replies that there is nothing. */
  | { readonly emptyResult: true }
  /** Replies with a location in this file, wherever that is. */
  | { readonly outsideUri: { readonly uri: string } }
  /** Replies with a WorkspaceEdit that has a fault or a form of its own, by its name in `edit-patterns.js`, for a file; `count` is how much of what may be too much. */
  | { readonly replyEdit: { readonly pattern: string; readonly uri: string; readonly count?: number } }
  /** Replies with much, made by `large-replies.js`. */
  | {
      readonly replyLarge: {
        readonly kind: 'references' | 'hover' | 'problems' | 'symbols' | 'outline';
        readonly count: number;
        readonly uris?: readonly string[];
        readonly padding?: number;
      };
    }
  /** Replies with a message of so many levels. */
  | { readonly depth: number }
  /** Waits so long before the next action. */
  | { readonly delayMs: number }
  /** Goes on when the client sends this method. */
  | { readonly waitFor: string }
  /** The next message says that it is longer by so many bytes than it is. */
  | { readonly badLength: { readonly delta: number } }
  /** The next message's header, with its blank line; `{length}` is the length of the body. */
  | { readonly header: string }
  /** The next message begins with a byte order mark, holds a byte that is no UTF-8, or comes in small parts. */
  | { readonly bom: true }
  | { readonly invalidUtf8: true }
  | { readonly splitEveryByte: true }
  | { readonly splitRandom: true }
  /** Replies with this part of the bytes, from 0 to 1. */
  | { readonly partial: number }
  /** Lines on stdout that are no message. */
  | { readonly garbage: readonly string[] }
  /** Writes these bytes to stdout as they are. */
  | { readonly rawBytes: { readonly text: string } | { readonly base64: string } }
  /** A header that never ends. */
  | { readonly headerWithoutEnd: { readonly megabytes: number } }
  /** The same text again and again. */
  | { readonly flood: { readonly megabytes: number; readonly text: string } }
  /** Writes so much to stderr, with or without ends of lines. */
  | { readonly stderr: { readonly bytes: number; readonly newline: boolean } }
  /** Asks the client; waits for all answers unless told not to. */
  | { readonly request: Sent & { readonly wait?: boolean } }
  /** Asks the client under the id of the request that is being handled. */
  | { readonly sameIdRequest: Sent }
  /** Notifies the client. */
  | { readonly notify: Sent }
  | {
      readonly progress: {
        readonly token: string | number;
        readonly kind: 'begin' | 'report' | 'end';
        readonly title?: string;
        readonly message?: string;
      };
    }
  /** Ends itself, by a code or by a signal. */
  | { readonly exit: { readonly code: number } }
  | { readonly signalSelf: `SIG${string}` }
  | { readonly ignoreSigterm: true }
  /** Stays when stdin ends. */
  | { readonly ignoreEnd: true }
  /** Reads nothing more, or slowly. */
  | { readonly stopReadingStdin: true }
  | { readonly slowReader: { readonly everyMs: number } }
  | { readonly closeStream: 'stdin' | 'stdout' | 'stderr' }
  /** Starts a child that never ends, in the same process group; `inherit` lets it hold our pipes. */
  | { readonly forkGrandchild: { readonly pidFile: string; readonly inherit?: boolean } }
  /** Starts a process that never ends, in a session of its own and with no parent that is ours. */
  | { readonly daemonize: { readonly pidFile: string } }
  /** Uses the processor for ever, and does nothing else. */
  | { readonly busyLoop: true }
  /** Takes so much memory and keeps it. */
  | { readonly allocate: { readonly megabytes: number } }
  /** Writes a file that tells that it was run. */
  | { readonly dropCanary: { readonly file: string } }
  /** Writes `{ env, cwd, argv, descriptors }` as JSON. */
  | { readonly reportEnv: { readonly file: string } };

/** What the fake server noted, as it replies to `fake/log`. */
export interface FakeLog {
  readonly received: readonly { readonly method: string; readonly id?: number; readonly params?: unknown }[];
  readonly answers: readonly {
    readonly method: string;
    readonly id: number | string;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  }[];
  /** What the client did wrong. */
  readonly complaints: readonly string[];
}
