import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What the fake server is and does. Without anything it is a small language server of words. */
export interface FakeScript {
  /** For what is random. */
  readonly seed?: number;
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
  readonly rules?: readonly Rule[];
}

/** When something happens, what is done, one action after the other. */
export interface Rule {
  readonly on:
    | {
        readonly method: string;
        /** The first is 1; each when absent. */
        readonly nth?: number;
      }
    | { readonly start: true }
    | { readonly afterMs: number };
  readonly do: readonly Action[];
}

interface ErrorReply {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

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
  | { readonly reply: 'auto' }
  | { readonly replyValue: unknown }
  | { readonly replyError: ErrorReply }
  /** No reply; for `exit`: stays. */
  | { readonly never: true }
  | { readonly replyTwice: true }
  | { readonly replyWrongId: true }
  | { readonly replyStringId: true }
  | { readonly replyNullId: true }
  | { readonly resultAndError: ErrorReply }
  | { readonly neither: true }
  | { readonly emptyResult: true }
  | { readonly outsideUri: { readonly uri: string } }
  /** Replies with a WorkspaceEdit of `edit-patterns.js`, by its name, for a file; `count` is how much of what may be too much. */
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
  | { readonly delayMs: number }
  /** Goes on when the client sends this method. */
  | { readonly waitFor: string }
  | { readonly badLength: { readonly delta: number } }
  /** The next message's header, with its blank line; `{length}` is the length of the body. */
  | { readonly header: string }
  | { readonly bom: true }
  | { readonly invalidUtf8: true }
  | { readonly splitEveryByte: true }
  | { readonly splitRandom: true }
  /** Replies with this part of the bytes, from 0 to 1. */
  | { readonly partial: number }
  /** Lines on stdout that are no message. */
  | { readonly garbage: readonly string[] }
  | { readonly rawBytes: { readonly text: string } | { readonly base64: string } }
  | { readonly headerWithoutEnd: { readonly megabytes: number } }
  /** The same text again and again. */
  | { readonly flood: { readonly megabytes: number; readonly text: string } }
  | { readonly stderr: { readonly bytes: number; readonly newline: boolean } }
  /** Asks the client; waits for all answers unless told not to. */
  | { readonly request: Sent & { readonly wait?: boolean } }
  /** Asks the client under the id of the request that is being handled. */
  | { readonly sameIdRequest: Sent }
  | { readonly notify: Sent }
  | {
      readonly progress: {
        readonly token: string | number;
        readonly kind: 'begin' | 'report' | 'end';
        readonly title?: string;
        readonly message?: string;
      };
    }
  | { readonly exit: { readonly code: number } }
  | { readonly signalSelf: NodeJS.Signals }
  | { readonly ignoreSigterm: true }
  /** Stays when stdin ends. */
  | { readonly ignoreEnd: true }
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

/** How to start the fake server with a script, until it is disposed of. */
export interface FakeCommand {
  readonly command: string;
  readonly args: readonly string[];
  dispose(): void;
}

/** Writes a script to a file of its own and gives the command that runs it. */
export function writeScript(script: FakeScript = {}): FakeCommand {
  const folder = mkdtempSync(join(tmpdir(), 'lspan-fake-'));
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const program = fileURLToPath(new URL('./fake-server.js', import.meta.url));
  return {
    command: process.execPath,
    args: [program, file],
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
