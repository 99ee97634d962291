import type { Json } from '../core/runtime/json.ts';

/** Uses that a server's search misses, although it resolves the symbol when asked at their position. */
export interface UnreportedUses {
  /** Their description, as the object of a sentence. */
  readonly what: string;
  /** Files with such uses match both: `files` matches the path, `texts` the content. No `g` flags. */
  readonly files: RegExp;
  readonly texts: RegExp;
}

/** The text around a use that exports the symbol under any name, such as a default export. No `g` flags. */
export interface ExportedUnderAnyName {
  readonly before: RegExp;
  readonly after: RegExp;
}

/** Requests of a server to another server, where both the request and its answer are notifications. */
export interface Relay {
  /** The notification that asks; its parameters are a list of an id, a command and its arguments. */
  readonly ask: string;
  /** The id of the server that answers. */
  readonly to: string;
  /** The command by which the answering server runs a given command with its arguments. */
  readonly command: string;
  /** The notification that answers; its parameters are a list of the id and the answer. */
  readonly reply: string;
}

/** The settings that a server needs before it is sent certain files, as of the last change that it was told of. */
export interface SettingsOfFiles {
  readonly of: (file: string) => Json | undefined;
  readonly note: (changed: readonly string[]) => void;
}
