// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts

/** Content of a user's configuration file. */
export interface ConfigFile {
  /** Files to leave out, as patterns in the form of .gitignore. Default: `[]`. */
  readonly exclude?: readonly string[] | undefined;
  /** The size of an answer where the call names none. A repository's file can only lower it. Default: `4000`. */
  readonly max_tokens?: number | undefined;
  /** Seconds that a call may take. A repository's file can only lower it. Default: `30`. */
  readonly deadline_s?: number | undefined;
  /** Ids of servers that are never started. Default: `[]`. */
  readonly disabled_servers?: readonly string[] | undefined;
  /** Language servers that are added or changed, one [[servers]] each. */
  readonly servers?: ReadonlyArray<{
    /** The name of the server: one that lspan knows, or a new one. */
    readonly id: string;
    /** false: the server is never started. */
    readonly enabled?: boolean | undefined;
    /** The program, as a name in PATH or an absolute path, and its arguments. */
    readonly command?: readonly [string, ...string[]] | undefined;
    /** Arguments in place of lspan's own; after those of `command` where both are given. */
    readonly args?: readonly string[] | undefined;
    /**
     * The files that it serves: extensions, whole names, first parts of names (`Dockerfile.*`). A list takes
     * the place of those that lspan knows; a table with their LSP language ids is merged with them.
     */
    readonly extensions?: readonly string[] | Readonly<Record<string, string>> | undefined;
    /** The LSP language id of all its files; by extension when absent. */
    readonly language_id?: string | undefined;
    /** Environment variables for the server, beside those that lspan passes. */
    readonly env?: Readonly<Record<string, string>> | undefined;
    /** Options of `initialize`, merged over lspan's own. */
    readonly initialization_options?: Readonly<Record<string, unknown>> | undefined;
    /** Answers to `workspace/configuration`, merged over lspan's own. */
    readonly settings?: Readonly<Record<string, unknown>> | undefined;
    /** Capabilities that the server is told of its client, merged over those of lspan. */
    readonly client_capabilities?: Readonly<Record<string, unknown>> | undefined;
    /** early: with lspan; on_demand: with the first call that needs it. */
    readonly start?: 'early' | 'on_demand' | undefined;
    /** How often it is started before a start that ends at once counts as a failure. */
    readonly start_attempts?: number | undefined;
    /** Seconds that the server may take to initialize. */
    readonly initialize_timeout_s?: number | undefined;
    /**
     * Seconds that it may take for a question, within the call's deadline: definition, references, hover,
     * document_symbols, workspace_symbols, diagnostics.
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
    /** MB of memory that it and all that it started may take, in place of `limits.memory_mb`. */
    readonly memory_mb?: number | undefined;
    /** The questions that it is asked, by the names of `timeouts`. */
    readonly answers?: ReadonlyArray<'definition' | 'references' | 'hover' | 'document_symbols' | 'workspace_symbols' | 'diagnostics' | 'rename' | 'rename_files' | 'code_actions' | 'formatting' | 'declaration' | 'type_definition' | 'implementations' | 'call_hierarchy' | 'type_hierarchy' | 'completion' | 'signature_help' | 'inlay_hints'> | undefined;
    /**
     * Servers of one group do the same job: of those that are installed, only the one of the highest rank is
     * asked.
     */
    readonly group?: string | undefined;
    /** The higher is asked first. */
    readonly rank?: number | undefined;
    /** It serves only files below a folder that holds one of these names; everywhere for []. */
    readonly only_below?: readonly string[] | undefined;
    /** It serves only roots that hold files of one of these extensions; every root for []. */
    readonly only_beside?: readonly string[] | undefined;
    /** What to do where its program is missing, as an instruction. */
    readonly install?: string | undefined;
    /**
     * How it tells that it has loaded the project: "immediate", "unknown", the end of a progress by its
     * title, a log message (both by regular expression), or a notification whose parameters hold what `when`
     * asks.
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
    /** Names of the files that mark the folder of a project, the nearest above a file counting. */
    readonly root_markers?: readonly string[] | undefined;
    /**
     * The folders of files with the names in `markers` are its workspace folders; one above that holds a
     * file named in `unless` stands for them.
     */
    readonly workspace_folders?: {
      readonly markers?: readonly string[] | undefined;
      readonly unless?: readonly string[] | undefined;
    } | undefined;
    /**
     * Extensions of files of other servers that its own files use: it is asked too who refers to what they
     * hold.
     */
    readonly sees?: readonly string[] | undefined;
    /** Globs, relative to the root, of files whose changes count though they are ignored. */
    readonly watch?: readonly string[] | undefined;
    /** Globs, relative to the root, of files after whose change it is started anew. */
    readonly restarts_on?: readonly string[] | undefined;
    /**
     * Folders outside the workspace whose sources may be shown, beside those that lspan finds; absolute
     * paths.
     */
    readonly library_folders?: readonly string[] | undefined;
    /** true: it knows a project only after one of its files was opened, so lspan opens one of each. */
    readonly loads_on_open?: boolean | undefined;
    /** true: created files are opened rather than announced, since it notices them late. */
    readonly opens_created?: boolean | undefined;
    /** The questions that it answers rightly about files that are not open. */
    readonly answers_unopened?: ReadonlyArray<'definition' | 'references' | 'hover' | 'document_symbols' | 'workspace_symbols' | 'diagnostics' | 'rename' | 'rename_files' | 'code_actions' | 'formatting' | 'declaration' | 'type_definition' | 'implementations' | 'call_hierarchy' | 'type_hierarchy' | 'completion' | 'signature_help' | 'inlay_hints'> | undefined;
    /** true: it never looks again at a file that is not open, so files that changed are opened. */
    readonly reads_only_open?: boolean | undefined;
    /** true: it has read a text when it has published the problems of it, which questions wait for. */
    readonly publishes_when_read?: boolean | undefined;
    /** true: the problems of a file depend on that file alone, so a change elsewhere does not matter. */
    readonly checks_files_alone?: boolean | undefined;
    /** Milliseconds to listen on after it published problems, where it does so in several steps. */
    readonly diagnostics_quiet_ms?: number | undefined;
    /** As many symbols as it gives for a search at most: that many are told to be incomplete. */
    readonly symbol_cap?: number | undefined;
    /** A regular expression for a log message which means that a process it depends on has died. */
    readonly child_died?: string | undefined;
    /** What it writes into the workspace, for `get_server_status`. */
    readonly writes?: readonly string[] | undefined;
  }> | undefined;
  /**
   * Which servers are asked about which files: globs, relative to the root, each with ids, the preferred
   * first. The first glob that matches a file decides; [] is none.
   */
  readonly files?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Seconds that a call may take, by the name of the tool, in place of `deadline_s`. */
  readonly deadlines_s?: Readonly<Record<string, number>> | undefined;
  /** Bounds on time, memory and size, one [limits] table. */
  readonly limits?: {
    /** Language servers that may run at once; an idle one makes room, a busy one never. Default: `8`. */
    readonly servers_running?: number | undefined;
    /** Seconds without a question after which a server is stopped. Default: `600`. */
    readonly idle_stop_s?: number | undefined;
    /** MB of memory that a server and all that it started may take. Default: `4096`. */
    readonly memory_mb?: number | undefined;
    /** Seconds of a call that may pass until a server has loaded the project. Default: `20`. */
    readonly readiness_s?: number | undefined;
    /** Seconds to wait for the problems of a changed file from a server that is ready. Default: `5`. */
    readonly diagnostics_s?: number | undefined;
    /** The same from a server that is not known to be ready. Default: `15`. */
    readonly diagnostics_cold_s?: number | undefined;
    /** MB of the largest file that is read. Can only be lowered. Default: `4`. */
    readonly document_mb?: number | undefined;
    /** Results that an answer lists at most. Can only be lowered. Default: `200`. */
    readonly page_items?: number | undefined;
    /**
     * MB of answers that are kept for when the same is asked and nothing has changed; 0 keeps none. Default:
     * `8`.
     */
    readonly answers_mb?: number | undefined;
  } | undefined;
  /** How answers are carried: text, structured data, both, or what suits the client. Default: `"auto"`. */
  readonly output?: 'auto' | 'text' | 'structured' | 'both' | undefined;
  /** The toolsets whose tools are listed, instead of the default list. Default: `[]`. */
  readonly toolsets?: readonly string[] | undefined;
  /** true: no tool that changes files is offered. Default: `false`. */
  readonly read_only?: boolean | undefined;
  /** How much the log on stderr tells. Default: `"warn"`. */
  readonly log_level?: 'error' | 'warn' | 'info' | 'debug' | undefined;
  /** The form of the log: for people, or JSON lines. Default: `"human"`. */
  readonly log_format?: 'human' | 'json' | undefined;
}
