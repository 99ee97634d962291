import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { serviceNames } from '../servers/question-names.ts';
import {
  command,
  environment,
  extension,
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
    id: text.regex(/^[\w.+-]+$/, 'may hold letters, digits and . _ + - only').meta({
      description: 'The name of the server: one that lspan knows, or a new one.',
      examples: ['id = "gopls"'],
    }),
    enabled: z
      .boolean()
      .optional()
      .meta({ description: 'false: the server is never started.', examples: ['enabled = false'] }),
    command: command.optional().meta({
      description: 'The program, as a name in PATH or an absolute path, and its arguments.',
      examples: ['command = ["gopls", "serve"]'],
    }),
    args: z
      .array(plain)
      .max(configuration.entries)
      .optional()
      .meta({
        description: "Arguments in place of lspan's own; after those of `command` where both are given.",
        examples: ['args = ["--stdio"]'],
      }),
    extensions: z
      .union([z.array(extension).min(1), z.record(extension, text)], {
        error: 'is a list of file extensions or names, or a table from them to language ids',
      })
      .optional()
      .meta({
        description:
          'The files that it serves: extensions, whole names, first parts of names (`Dockerfile.*`). A list takes the place of those that lspan knows; a table with their LSP language ids is merged with them.',
        examples: ['extensions = ["go", "go.mod"]'],
      }),
    language_id: text.optional().meta({
      description: 'The LSP language id of all its files; by extension when absent.',
      examples: ['language_id = "go"'],
    }),
    env: environment.optional().meta({
      description: 'Environment variables for the server, beside those that lspan passes.',
      examples: ['env = { GOFLAGS = "-tags=e2e" }'],
    }),
    initialization_options: table.optional().meta({
      description: "Options of `initialize`, merged over lspan's own.",
      examples: ['initialization_options = { staticcheck = true }'],
    }),
    settings: table.optional().meta({
      description: "Answers to `workspace/configuration`, merged over lspan's own.",
      examples: ['settings = { gopls = { staticcheck = true } }'],
    }),
    client_capabilities: table.optional().meta({
      description: 'Capabilities that the server is told of its client, merged over those of lspan.',
      examples: ['client_capabilities = { experimental = { serverStatusNotification = true } }'],
    }),
    start: z
      .enum(['early', 'on_demand'])
      .optional()
      .meta({
        description: 'early: with lspan; on_demand: with the first call that needs it.',
        examples: ['start = "early"'],
      }),
    start_attempts: z
      .int()
      .min(1)
      .max(limits.restart.crashes)
      .optional()
      .meta({
        description: 'How often it is started before a start that ends at once counts as a failure.',
        examples: ['start_attempts = 2'],
      }),
    initialize_timeout_s: seconds(configuration.initializeMost)
      .optional()
      .meta({
        description: 'Seconds that the server may take to initialize.',
        examples: ['initialize_timeout_s = 60'],
      }),
    timeouts: timeoutsSchema.optional().meta({
      description:
        "Seconds that it may take for a question, within the call's deadline: definition, references, hover, document_symbols, workspace_symbols, diagnostics.",
      examples: ['timeouts = { references = 20, hover = 5 }'],
    }),
    memory_mb: megabytes(configuration.memoryLeast, configuration.memoryMost)
      .optional()
      .meta({
        description: 'MB of memory that it and all that it started may take, in place of `limits.memory_mb`.',
        examples: ['memory_mb = 8192'],
      }),
    answers: z
      .array(service)
      .optional()
      .meta({
        description: 'The questions that it is asked, by the names of `timeouts`.',
        examples: ['answers = ["diagnostics"]'],
      }),
    group: text.optional().meta({
      description:
        'Servers of one group do the same job: of those that are installed, only the one of the highest rank is asked.',
      examples: ['group = "python"'],
    }),
    rank: z
      .int()
      .min(-configuration.rankMost)
      .max(configuration.rankMost)
      .optional()
      .meta({ description: 'The higher is asked first.', examples: ['rank = 10'] }),
    only_below: texts.optional().meta({
      description: 'It serves only files below a folder that holds one of these names; everywhere for [].',
      examples: ['only_below = ["biome.json"]'],
    }),
    only_beside: texts.optional().meta({
      description: 'It serves only roots that hold files of one of these extensions; every root for [].',
      examples: ['only_beside = ["vue"]'],
    }),
    install: text.optional().meta({
      description: 'What to do where its program is missing, as an instruction.',
      examples: ['install = "Run: go install golang.org/x/tools/gopls@latest"'],
    }),
  })
  .extend(serverHabitsSchema.shape);
