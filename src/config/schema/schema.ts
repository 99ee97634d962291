import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { readGlobs } from '../../core/runtime/glob.ts';
import { key, seconds, text, texts } from './key-shapes.ts';
import { limitsSchema } from './limits-schema.ts';
import { serverSchema, timeoutsSchema } from './server-schema.ts';

/** Schema of a repository's file: only keys that narrow what lspan does. */
export const repositorySchema = z.strictObject({
  exclude: key(
    texts,
    'Files to leave out, as patterns in the form of .gitignore.',
    'exclude = ["generated/"]',
  ),
  max_tokens: key(
    z.int().min(limits.configuration.tokensLeast).max(limits.tokens.most),
    "The size of an answer where the call names none. A repository's file can only lower it.",
    'max_tokens = 2000',
  ),
  deadline_s: key(
    seconds(limits.configuration.deadlineMost),
    "Seconds that a call may take. A repository's file can only lower it.",
    'deadline_s = 20',
  ),
  disabled_servers: key(texts, 'Ids of servers that are never started.', 'disabled_servers = ["pyright"]'),
});

/** Schema of the user's file, for TOML and JSON. The documentation is generated from it. */
export const userSchema = repositorySchema.extend({
  servers: key(
    z.array(serverSchema),
    'Language servers that are added or changed, one [[servers]] each.',
    '[[servers]]',
  ),
  files: key(
    z
      .record(text.max(limits.configuration.pattern), texts)
      .refine((rules) => Object.keys(rules).length <= limits.configuration.entries, 'has too many globs')
      .refine(
        (rules) => Object.keys(rules).every((glob) => readGlobs(glob, limits.watch.globs) !== undefined),
        'has a glob that cannot be read: `*`, `?`, `[a-z]`, `**` and `{a,b}` mean something, and a backslash does not',
      ),
    'Which servers are asked about which files: globs, relative to the root, each with ids, the preferred first. The first glob that matches a file decides; [] is none.',
    'files = { "legacy/**" = ["typescript-language-server"] }',
  ),
  deadlines_s: key(
    z.record(text, seconds(limits.configuration.deadlineMost)),
    'Seconds that a call may take, by the name of the tool, in place of `deadline_s`.',
    'deadlines_s = { find_references = 60 }',
  ),
  limits: key(
    limitsSchema,
    'Bounds on time, memory and size, one [limits] table.',
    'limits = { servers_running = 4 }',
  ),
  output: key(
    z.enum(['auto', 'text', 'structured', 'both']),
    'How answers are carried: text, structured data, both, or what suits the client.',
    'output = "text"',
  ),
  toolsets: key(
    texts,
    'The toolsets whose tools are listed, instead of the default list.',
    'toolsets = ["navigation", "symbols"]',
  ),
  read_only: key(z.boolean(), 'true: no tool that changes files is offered.', 'read_only = true'),
  log_level: key(
    z.enum(['error', 'warn', 'info', 'debug']),
    'How much the log on stderr tells.',
    'log_level = "info"',
  ),
  log_format: key(
    z.enum(['human', 'json']),
    'The form of the log: for people, or JSON lines.',
    'log_format = "json"',
  ),
});

/** Content of a valid user's file. */
export type UserFile = z.output<typeof userSchema>;

/** Content of a valid repository's file. */
export type RepositoryFile = z.output<typeof repositorySchema>;

/** Returns the schemas of the keys at a path of the user's file, if a table is known there. */
export function tableAt(place: readonly PropertyKey[]): KeyTable | undefined {
  const [first, , third] = place;
  if (place.length === 0) return userSchema.shape;
  if (first === 'limits' && place.length === 1) return limitsSchema.shape;
  if (first === 'servers' && place.length === 2) return serverSchema.shape;
  return first === 'servers' && third === 'timeouts' && place.length === 3 ? timeoutsSchema.shape : undefined;
}

/** Schemas by key. */
type KeyTable = Readonly<Record<string, z.ZodType>>;
