import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { serviceNames } from '../servers/question-names.ts';
import {
  command,
  confineMode,
  environment,
  extension,
  farFolder,
  folder,
  key,
  megabytes,
  plain,
  seconds,
  table,
  text,
  texts,
} from './key-shapes.ts';
import { serverHabitsSchema } from './server-habits-schema.ts';

const { configuration } = limits;
const service = z.enum(Object.values(serviceNames));
const time = seconds(configuration.deadlineMost, 100).optional();

/** Schema of `timeouts`: seconds by question. */
export const timeoutsSchema = z.strictObject({
  definition: time,
  references: time,
  hover: time,
  document_symbols: time,
  workspace_symbols: time,
  diagnostics: time,
  rename: time,
  rename_files: time,
  code_actions: time,
  formatting: time,
  declaration: time,
  type_definition: time,
  implementations: time,
  call_hierarchy: time,
  type_hierarchy: time,
  completion: time,
  signature_help: time,
  inlay_hints: time,
} satisfies Record<z.output<typeof service>, z.ZodType>);

/** Schema of a `[[servers]]` entry, with a description and an example for every key. */
export const serverSchema = z
  .strictObject({
    id: text.regex(/^[\w.+-]+$/, 'may have only letters, digits and . _ + -').meta({
      description: 'Server id: one that lspan knows, or a new one.',
      examples: ['id = "gopls"'],
    }),
    enabled: key(z.boolean(), 'false: the server is never started.', 'enabled = false'),
    command: key(
      command,
      'The program, as a name in PATH or an absolute path, and its arguments.',
      'command = ["gopls", "serve"]',
    ),
    via: key(
      command,
      'A command that leads to where the server runs: `command` is run at its far end, and paths are mapped by `paths`.',
      'via = ["docker", "exec", "-i", "dev"]',
    ),
    paths: key(
      z.record(folder, farFolder),
      'Folders here, and the same folders where the server runs; without it they have the same paths there.',
      'paths = { "/home/me/project" = "/workspace" }',
    ),
    shared: key(
      z.boolean(),
      'false: the files where the server runs are copies of those here, so that its answers are in doubt.',
      'shared = false',
    ),
    args: key(
      z.array(plain).max(configuration.entries),
      "Arguments instead of lspan's own; they follow those of `command`.",
      'args = ["--stdio"]',
    ),
    extensions: key(
      z.union([z.array(extension).min(1), z.record(extension, text)], {
        error: 'is a list of file extensions or names, or a table from them to language ids',
      }),
      "Its files: extensions, whole names, first parts of names (`Dockerfile.*`). A list replaces lspan's own; a table with LSP language ids is merged with them.",
      'extensions = ["go", "go.mod"]',
    ),
    language_id: key(text, 'LSP language id of all its files; default by extension.', 'language_id = "go"'),
    env: key(environment, 'More environment variables for the server.', 'env = { GOFLAGS = "-tags=e2e" }'),
    cwd: key(
      text,
      'Working directory of its program, absolute or relative to the workspace; default `root_dir`.',
      'cwd = "backend"',
    ),
    root_dir: key(
      text,
      'Folder that is its root, absolute or relative to the workspace; it serves only files below it.',
      'root_dir = "backend"',
    ),
    initialization_options: key(
      table,
      "Options of `initialize`, merged over lspan's own.",
      'initialization_options = { staticcheck = true }',
    ),
    settings: key(
      table,
      "Answers to `workspace/configuration`, merged over lspan's own.",
      'settings = { gopls = { staticcheck = true } }',
    ),
    client_capabilities: key(
      table,
      "Client capabilities, merged over lspan's own.",
      'client_capabilities = { experimental = { serverStatusNotification = true } }',
    ),
    start: key(
      z.enum(['early', 'on_demand']),
      'early: with lspan; on_demand: with the first call that needs it.',
      'start = "early"',
    ),
    start_attempts: key(
      z.int().min(1).max(limits.restart.crashes),
      'How often it is started before an immediate exit counts as a failure.',
      'start_attempts = 2',
    ),
    initialize_timeout_s: key(
      seconds(configuration.initializeMost),
      'Seconds that the server may take to initialize.',
      'initialize_timeout_s = 60',
    ),
    timeouts: key(
      timeoutsSchema,
      "Seconds for a question, within the call's deadline: definition, references, hover, document_symbols, workspace_symbols, diagnostics.",
      'timeouts = { references = 20, hover = 5 }',
    ),
    memory_mb: key(
      megabytes(configuration.memoryLeast, configuration.memoryMost),
      'MB of memory for it and its child processes, instead of `limits.memory_mb`.',
      'memory_mb = 8192',
    ),
    confine: key(
      confineMode,
      'When it runs in a sandbox, instead of the key `confine` for all.',
      'confine = "never"',
    ),
    writable_folders: key(
      z.array(folder).max(configuration.entries),
      'More folders that it may write to while it is confined; absolute paths.',
      'writable_folders = ["/var/cache/my-server"]',
    ),
    answers: key(
      z.array(service),
      'Questions to ask it, by the names in `timeouts`.',
      'answers = ["diagnostics"]',
    ),
    group: key(
      text,
      'Servers of one group do the same job: only the installed one with the highest rank is asked.',
      'group = "python"',
    ),
    rank: key(
      z.int().min(-configuration.rankMost).max(configuration.rankMost),
      'Higher ranks are asked first.',
      'rank = 10',
    ),
    only_below: key(
      texts,
      'It serves only files below a folder with one of these names; [] means everywhere.',
      'only_below = ["biome.json"]',
    ),
    only_beside: key(
      texts,
      'It serves only roots with files of one of these extensions; [] means every root.',
      'only_beside = ["vue"]',
    ),
    install: key(
      text,
      'Instruction for installing its program.',
      'install = "Run: go install golang.org/x/tools/gopls@latest"',
    ),
  })
  .extend(serverHabitsSchema.shape)
  .refine(({ via, command: there }) => via === undefined || there !== undefined, {
    path: ['via'],
    message: 'needs `command`, the server at its far end',
  })
  .refine(({ via, paths, shared }) => via !== undefined || (paths === undefined && shared === undefined), {
    path: ['paths'],
    message: 'and `shared` go with `via`',
  })
  .refine(({ paths = {} }) => new Set(Object.values(paths)).size === Object.keys(paths).length, {
    path: ['paths'],
    message: 'has two folders here for one there',
  });
