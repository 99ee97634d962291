import { z } from 'zod';
import { limits } from '../core/limits.ts';
import { extensionName } from './extension-name.ts';

const text = z
  .string()
  .min(1)
  .regex(/^[^\0]*$/, 'must not hold a NUL character');
const texts = z.array(text);
const object = z.record(z.string(), z.unknown());
const extension = text.refine((given) => extensionName(given) !== undefined, 'is not a file extension');
const program = text.refine(isNameOrAbsolute, 'is a relative path');
const command = z.tuple([program], z.string().regex(/^[^\0]*$/, 'must not hold a NUL character'));
const environment = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().regex(/^[^\0]*$/));

const seconds = (most: number) =>
  z
    .number()
    .min(1)
    .max(most / 1000);

/** One `[[servers]]` entry: every key with what it is for and how it is written. */
const serverSchema = z.strictObject({
  id: text.regex(/^[\w.+-]+$/, 'may hold letters, digits and . _ + - only').meta({
    description: 'The name of the server: one that lspan knows, or a new one.',
    examples: ['id = "gopls"'],
  }),
  command: command.optional().meta({
    description: 'The program, as a name in PATH or an absolute path, and its arguments.',
    examples: ['command = ["gopls", "serve"]'],
  }),
  extensions: z
    .array(extension)
    .min(1)
    .optional()
    .meta({
      description: 'The file extensions that it serves, in place of those that lspan knows.',
      examples: ['extensions = ["go", "mod"]'],
    }),
  language_id: text.optional().meta({
    description: 'The LSP language id of all its files; by extension when absent.',
    examples: ['language_id = "go"'],
  }),
  env: environment.optional().meta({
    description: 'Environment variables for the server, beside those that lspan passes.',
    examples: ['env = { GOFLAGS = "-tags=e2e" }'],
  }),
  initialization_options: object.optional().meta({
    description: "Options of `initialize`, merged over lspan's own.",
    examples: ['initialization_options = { staticcheck = true }'],
  }),
  settings: object.optional().meta({
    description: "Answers to `workspace/configuration`, merged over lspan's own.",
    examples: ['settings = { gopls = { staticcheck = true } }'],
  }),
  enabled: z
    .boolean()
    .optional()
    .meta({
      description: 'false: the server is never started.',
      examples: ['enabled = false'],
    }),
  start: z
    .enum(['early', 'on_demand'])
    .optional()
    .meta({
      description: 'early: with lspan; on_demand: with the first call that needs it.',
      examples: ['start = "early"'],
    }),
  initialize_timeout_s: seconds(limits.configuration.initializeMost)
    .optional()
    .meta({
      description: 'Seconds that the server may take to initialize.',
      examples: ['initialize_timeout_s = 60'],
    }),
});

/** The keys of a repository's file: those that can only narrow what lspan does. */
export const repositorySchema = z.strictObject({
  exclude: texts
    .max(1_000)
    .optional()
    .meta({
      description: 'Files to leave out, as patterns in the form of .gitignore.',
      examples: ['exclude = ["generated/"]'],
    }),
  max_tokens: z
    .int()
    .min(limits.configuration.tokensLeast)
    .max(limits.tokens.most)
    .optional()
    .meta({
      description: "The size of an answer where the call names none. A repository's file can only lower it.",
      examples: ['max_tokens = 2000'],
    }),
  deadline_s: seconds(limits.configuration.deadlineMost)
    .optional()
    .meta({
      description: "Seconds that a call may take. A repository's file can only lower it.",
      examples: ['deadline_s = 20'],
    }),
  disabled_servers: texts
    .max(1_000)
    .optional()
    .meta({
      description: 'Ids of servers that are never started.',
      examples: ['disabled_servers = ["pyright"]'],
    }),
});

/** Every key of the user's file, in TOML and in JSON alike. The documentation is made from this table. */
export const userSchema = repositorySchema.extend({
  servers: z
    .array(serverSchema)
    .optional()
    .meta({
      description: 'Language servers that are added or changed, one [[servers]] each.',
      examples: ['[[servers]]'],
    }),
  output: z
    .enum(['auto', 'text', 'structured', 'both'])
    .optional()
    .meta({
      description: 'How answers are carried: text, structured data, both, or what suits the client.',
      examples: ['output = "text"'],
    }),
  toolsets: texts.optional().meta({
    description: 'The toolsets whose tools are listed, instead of the default list.',
    examples: ['toolsets = ["navigation", "symbols"]'],
  }),
  read_only: z
    .boolean()
    .optional()
    .meta({
      description: 'true: no tool that changes files is offered.',
      examples: ['read_only = true'],
    }),
  log_level: z
    .enum(['error', 'warn', 'info', 'debug'])
    .optional()
    .meta({
      description: 'How much the log on stderr tells.',
      examples: ['log_level = "info"'],
    }),
  log_format: z
    .enum(['human', 'json'])
    .optional()
    .meta({
      description: 'The form of the log: for people, or JSON lines.',
      examples: ['log_format = "json"'],
    }),
});

/** What a valid user's file holds. */
export type UserFile = z.output<typeof userSchema>;

/** What a valid repository's file holds. */
export type RepositoryFile = z.output<typeof repositorySchema>;

/** The table of keys at a place of the user's file: of the whole, or of one of its servers. */
export function keysAt(place: readonly PropertyKey[]): Readonly<Record<string, z.ZodType>> {
  return place[0] === 'servers' ? serverSchema.shape : userSchema.shape;
}

// A relative path would mean another program in every folder that lspan is started in.
function isNameOrAbsolute(given: string): boolean {
  return !/[/\\]/.test(given) || /^(\/|[A-Za-z]:[/\\]|\\\\)/.test(given);
}
