import type { EntryValue } from '../formats/entry-format.ts';
import type { HookEntries } from '../formats/hook-entries.ts';
import type { MachinePlace } from './place.ts';

/** Whether a file is for one project, or for all projects of the user. */
export type Scope = 'project' | 'user';

/** Facts about one agent: where it keeps its servers, and how. */
export interface AgentClient {
  readonly id: string;
  readonly title: string;
  readonly aliases?: readonly string[];
  /** What shows that it is installed. */
  readonly found: { readonly programs?: readonly string[]; readonly places: readonly MachinePlace[] };
  /** Its file for all projects; the first is made if none exists. */
  readonly user: readonly MachinePlace[];
  /** Its file for one project, below its root; absent if it has none. */
  readonly project?: readonly string[];
  readonly format: 'json' | 'toml' | 'yaml';
  /** The key that holds the servers. */
  readonly key: string;
  /** A key inside of it that holds the servers in files of a newer form. */
  readonly innerKey?: string;
  readonly shape: ServerEntryShape;
  /** `desktop` if it may be started without a shell, whose PATH may then be missing. */
  readonly started: 'shell' | 'desktop';
  /** How its user sees that lspan is there. */
  readonly check: string;
  readonly notes?: readonly string[];
  readonly rules?: RulesFiles;
  readonly hooks?: ClientHooks;
  /** How it names a tool in lists of allowed tools; * stands for the tool. */
  readonly toolName?: string;
}

/** How an entry says what is started. */
export interface ServerEntryShape {
  /** Name of the key of the program. */
  readonly program: 'command' | 'cmd';
  /** True if the arguments follow the program in one list. */
  readonly isOneList?: boolean;
  /** Keys with a fixed value, without which the client does not start it. */
  readonly own?: Readonly<Record<string, EntryValue>>;
  readonly initial?: Readonly<Record<string, EntryValue>>;
}

/** The files in which a client looks for instructions. */
interface RulesFiles {
  readonly user?: MachinePlace;
  readonly project?: string;
  /** What a new file begins with. */
  readonly head?: string;
}

/** What makes a client tell its model after each edit what got worse. */
export interface ClientHooks {
  readonly user: MachinePlace;
  /** Below the root of a project. */
  readonly project: string;
  /** `server`: they call `after_edit` of the session's own server. `daemon`: they run `lspan hook`, which asks the daemon. */
  readonly asks: 'server' | 'daemon';
  readonly content: HookContent;
  /** What its user has to do besides. */
  readonly note?: string;
}

/** Hooks are entries in a file of the client, or a file of their own. The words run `lspan hook`. */
export type HookContent =
  | {
      readonly kind: 'entries';
      readonly entries: (words: readonly string[], platform: NodeJS.Platform) => HookEntries;
    }
  | { readonly kind: 'file'; readonly text: (words: readonly string[]) => string; readonly mark: string };
