// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts

/** Content of a user's configuration file. */
export interface ConfigFile {
  /** Files to exclude, as .gitignore patterns. Default: `[]`. */
  readonly exclude?: readonly string[] | undefined;
  /** Default answer size in tokens. A repository's file can only lower it. Default: `4000`. */
  readonly max_tokens?: number | undefined;
  /** Seconds that a call may take. A repository's file can only lower it. Default: `30`. */
  readonly deadline_s?: number | undefined;
  /** Ids of servers that are never started. Default: `[]`. */
  readonly disabled_servers?: readonly string[] | undefined;
  /** Language servers to add or change, one [[servers]] each. */
  readonly servers?: ReadonlyArray<{
    /** Server id: one that lspan knows, or a new one. */
    readonly id: string;
    /** false: the server is never started. */
    readonly enabled?: boolean | undefined;
    /** The program, as a name in PATH or an absolute path, and its arguments. */
    readonly command?: readonly [string, ...string[]] | undefined;
    /**
     * A command that leads to where the server runs: `command` is run at its far end, and paths are mapped
     * by `paths`.
     */
    readonly via?: readonly [string, ...string[]] | undefined;
    /** Folders here, and the same folders where the server runs; without it they have the same paths there. */
    readonly paths?: Readonly<Record<string, string>> | undefined;
    /** false: the files where the server runs are copies of those here, so that its answers are in doubt. */
    readonly shared?: boolean | undefined;
    /** Arguments instead of lspan's own; they follow those of `command`. */
    readonly args?: readonly string[] | undefined;
    /**
     * Its files: extensions, whole names, first parts of names (`Dockerfile.*`). A list replaces lspan's
     * own; a table with LSP language ids is merged with them.
     */
    readonly extensions?: readonly string[] | Readonly<Record<string, string>> | undefined;
    /** LSP language id of all its files; default by extension. */
    readonly language_id?: string | undefined;
    /** More environment variables for the server. */
    readonly env?: Readonly<Record<string, string>> | undefined;
    /** Working directory of its program, absolute or relative to the workspace; default `root_dir`. */
    readonly cwd?: string | undefined;
    /** Folder that is its root, absolute or relative to the workspace; it serves only files below it. */
    readonly root_dir?: string | undefined;
    /** Options of `initialize`, merged over lspan's own. */
    readonly initialization_options?: Readonly<Record<string, unknown>> | undefined;
    /** Answers to `workspace/configuration`, merged over lspan's own. */
    readonly settings?: Readonly<Record<string, unknown>> | undefined;
    /** Client capabilities, merged over lspan's own. */
    readonly client_capabilities?: Readonly<Record<string, unknown>> | undefined;
    /** early: with lspan; on_demand: with the first call that needs it. */
    readonly start?: 'early' | 'on_demand' | undefined;
    /** How often it is started before an immediate exit counts as a failure. */
    readonly start_attempts?: number | undefined;
    /** Seconds that the server may take to initialize. */
    readonly initialize_timeout_s?: number | undefined;
    /**
     * Seconds for a question, within the call's deadline: definition, references, hover, document_symbols,
     * workspace_symbols, diagnostics.
     */
    readonly timeouts?: {
      readonly definition?: number | undefined;
      readonly references?: number | undefined;
      readonly hover?: number | undefined;
      readonly document_symbols?: number | undefined;
      readonly workspace_symbols?: number | undefined;
      readonly diagnostics?: number | undefined;
      readonly rename?: number | undefined;
      readonly rename_files?: number | undefined;
      readonly code_actions?: number | undefined;
      readonly formatting?: number | undefined;
      readonly declaration?: number | undefined;
      readonly type_definition?: number | undefined;
      readonly implementations?: number | undefined;
      readonly call_hierarchy?: number | undefined;
      readonly type_hierarchy?: number | undefined;
      readonly completion?: number | undefined;
      readonly signature_help?: number | undefined;
      readonly inlay_hints?: number | undefined;
    } | undefined;
    /** MB of memory for it and its child processes, instead of `limits.memory_mb`. */
    readonly memory_mb?: number | undefined;
    /** When it runs in a sandbox, instead of the key `confine` for all. */
    readonly confine?: 'always' | 'untrusted' | 'never' | undefined;
    /** More folders that it may write to while it is confined; absolute paths. */
    readonly writable_folders?: readonly string[] | undefined;
    /** Questions to ask it, by the names in `timeouts`. */
    readonly answers?: ReadonlyArray<'definition' | 'references' | 'hover' | 'document_symbols' | 'workspace_symbols' | 'diagnostics' | 'rename' | 'rename_files' | 'code_actions' | 'formatting' | 'declaration' | 'type_definition' | 'implementations' | 'call_hierarchy' | 'type_hierarchy' | 'completion' | 'signature_help' | 'inlay_hints'> | undefined;
    /** Servers of one group do the same job: only the installed one with the highest rank is asked. */
    readonly group?: string | undefined;
    /** Higher ranks are asked first. */
    readonly rank?: number | undefined;
    /** It serves only files below a folder with one of these names; [] means everywhere. */
    readonly only_below?: readonly string[] | undefined;
    /** It serves only roots with files of one of these extensions; [] means every root. */
    readonly only_beside?: readonly string[] | undefined;
    /** Instruction for installing its program. */
    readonly install?: string | undefined;
    /**
     * How it signals that the project is loaded: "immediate", "unknown", the end of a progress by its title,
     * a log message (both by regular expression), or a notification whose parameters match `when`.
     */
    readonly ready?: 'immediate' | 'unknown' | {
      readonly progress: string;
      readonly or_publication?: boolean | undefined;
    } | {
      readonly log: string;
    } | {
      readonly notification: string;
      readonly when?: Readonly<Record<string, unknown>> | undefined;
    } | undefined;
    /**
     * Names of files that mark a project folder; the nearest one above a file counts. These folders are its
     * workspace folders, and a single one is its root.
     */
    readonly root_markers?: readonly string[] | undefined;
    /**
     * Folders with a file named in `markers` are its workspace folders; a folder above with a file named in
     * `unless` replaces them.
     */
    readonly workspace_folders?: {
      readonly markers?: readonly string[] | undefined;
      readonly unless?: readonly string[] | undefined;
    } | undefined;
    /**
     * Extensions of other servers' files that its own files use: it is also asked for references to their
     * symbols.
     */
    readonly sees?: readonly string[] | undefined;
    /** Globs, relative to the root, of ignored files whose changes count. */
    readonly watch?: readonly string[] | undefined;
    /** Globs, relative to the root, of files whose changes restart it. */
    readonly restarts_on?: readonly string[] | undefined;
    /** More folders outside the workspace whose sources may be shown; absolute paths. */
    readonly library_folders?: readonly string[] | undefined;
    /** true: it loads a project only when one of its files is opened, so lspan opens one of each. */
    readonly loads_on_open?: boolean | undefined;
    /** true: lspan opens created files, since the server notices them late. */
    readonly opens_created?: boolean | undefined;
    /** Questions that it answers correctly about files that are not open. */
    readonly answers_unopened?: ReadonlyArray<'definition' | 'references' | 'hover' | 'document_symbols' | 'workspace_symbols' | 'diagnostics' | 'rename' | 'rename_files' | 'code_actions' | 'formatting' | 'declaration' | 'type_definition' | 'implementations' | 'call_hierarchy' | 'type_hierarchy' | 'completion' | 'signature_help' | 'inlay_hints'> | undefined;
    /** true: it never rereads a file that is not open, so lspan opens changed files. */
    readonly reads_only_open?: boolean | undefined;
    /** true: it publishes the problems of a text once it has read it; questions wait for that. */
    readonly publishes_when_read?: boolean | undefined;
    /** true: the problems of a file depend on that file alone. */
    readonly checks_files_alone?: boolean | undefined;
    /** Milliseconds to wait for more problems, if it publishes them in steps. */
    readonly diagnostics_quiet_ms?: number | undefined;
    /** Its commands that only request edits; lspan sends no others. */
    readonly edit_commands?: readonly string[] | undefined;
    /** Most symbols that it returns for a search: an answer with that many is marked incomplete. */
    readonly symbol_cap?: number | undefined;
    /**
     * true: it answers from an index that it made before; its answers are marked as that old, and it makes
     * no changes.
     */
    readonly static?: boolean | undefined;
    /** Regular expression of the log message when a process it depends on has died. */
    readonly child_died?: string | undefined;
    /** Files that it writes into the workspace, for `get_server_status`. */
    readonly writes?: readonly string[] | undefined;
  }> | undefined;
  /**
   * Servers by file: globs, relative to the root, each with ids, the preferred first. The first matching
   * glob decides; [] means no server.
   */
  readonly files?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Seconds that a call may take, by tool name, instead of `deadline_s`. */
  readonly deadlines_s?: Readonly<Record<string, number>> | undefined;
  /** Limits on time, memory and size, one [limits] table. */
  readonly limits?: {
    /** How many language servers may run at once. Only idle ones are stopped for others. Default: `8`. */
    readonly servers_running?: number | undefined;
    /** Idle seconds before a server is stopped. Default: `600`. */
    readonly idle_stop_s?: number | undefined;
    /** MB of memory for a server and its child processes. Default: `4096`. */
    readonly memory_mb?: number | undefined;
    /**
     * MB of memory for all servers together; 0: half of the machine's. Idle ones are stopped first. Default:
     * `0`.
     */
    readonly servers_memory_mb?: number | undefined;
    /** Seconds that a call waits for a server to load the project. Default: `20`. */
    readonly readiness_s?: number | undefined;
    /** Seconds to wait for the problems of a changed file from a ready server. Default: `5`. */
    readonly diagnostics_s?: number | undefined;
    /** Like diagnostics_s, for a server that may not be ready. Default: `15`. */
    readonly diagnostics_cold_s?: number | undefined;
    /** MB of the largest file that is read. Can only be lowered. Default: `4`. */
    readonly document_mb?: number | undefined;
    /** Most results per page. Can only be lowered. Default: `200`. */
    readonly page_items?: number | undefined;
    /** MB of cached answers, reused while nothing has changed; 0 caches none. Default: `8`. */
    readonly answers_mb?: number | undefined;
  } | undefined;
  /** Indexes of repositories, one [index] table. */
  readonly index?: {
    /**
     * Where indexes are kept: embedded (in lspan's state folder) or a PostgreSQL database. LSPAN_INDEX_STORE
     * overrides it. Default: `"embedded"`.
     */
    readonly store?: string | undefined;
    /** The tenant of the database under which this user adds indexes, if there are several. Default: `""`. */
    readonly tenant?: string | undefined;
  } | undefined;
  /** Settings of `lspan serve`, one [serve] table. */
  readonly serve?: {
    /** The port; 0 takes a free one. Default: `3939`. */
    readonly port?: number | undefined;
    /** The loopback address to listen on. Default: `"127.0.0.1"`. */
    readonly host?: '127.0.0.1' | '::1' | undefined;
    /** The path of the MCP endpoint. Default: `"/mcp"`. */
    readonly endpoint?: string | undefined;
    /** Origin headers to accept, as browser extensions send them. Default: `[]`. */
    readonly allow_origins?: readonly string[] | undefined;
    /** false: keep no sessions for clients of the 2025 revisions. Default: `true`. */
    readonly sessions?: boolean | undefined;
    /** Serve this revision of MCP only. Default: `"all"`. */
    readonly protocol?: '2025-11-25' | undefined;
    /** The names and forms of the tools. Default: `"lspan"`. */
    readonly surface?: string | undefined;
    /** More folders whose files may be read and named, never changed; absolute paths. Default: `[]`. */
    readonly additional_roots?: readonly string[] | undefined;
  } | undefined;
  /** Form of answers: text, structured data, both, or what suits the client. Default: `"auto"`. */
  readonly output?: 'auto' | 'text' | 'structured' | 'both' | undefined;
  /** Toolsets to list, instead of the default tools. Default: `[]`. */
  readonly toolsets?: readonly string[] | undefined;
  /** true: offer no tool that changes files. Default: `false`. */
  readonly read_only?: boolean | undefined;
  /**
   * true: `lspan mcp` and the shell commands share one process for all clients, and so its servers. Default:
   * `false`.
   */
  readonly daemon?: boolean | undefined;
  /**
   * When language servers run in a sandbox, where one works: always, untrusted (repositories that you have
   * not trusted) or never. Default: `"untrusted"`.
   */
  readonly confine?: 'always' | 'untrusted' | 'never' | undefined;
  /** Log level on stderr. Default: `"warn"`. */
  readonly log_level?: 'error' | 'warn' | 'info' | 'debug' | undefined;
  /** Log format: for people, or JSON lines. Default: `"human"`. */
  readonly log_format?: 'human' | 'json' | undefined;
}
