import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { readGlobs } from '../../core/runtime/glob.ts';
import { indexSchema } from './index-schema.ts';
import { confineMode, key, seconds, text, texts } from './key-shapes.ts';
import { limitsSchema } from './limits-schema.ts';
import { serveSchema } from './serve-schema.ts';
import { serverSchema, timeoutsSchema } from './server-schema.ts';

/** Schema of a repository's file: only keys that narrow what lspan does. */
export const repositorySchema = z.strictObject({
  exclude: key(texts, 'Files to exclude, as .gitignore patterns.', 'exclude = ["generated/"]'),
  max_tokens: key(
    z.int().min(limits.configuration.tokensLeast).max(limits.tokens.most),
    "Default answer size in tokens. A repository's file can only lower it.",
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
    'Language servers to add or change, one [[servers]] each.',
    '[[servers]]',
  ),
  files: key(
    z
      .record(text.max(limits.configuration.pattern), texts)
      .refine((rules) => Object.keys(rules).length <= limits.configuration.entries, 'has too many globs')
      .refine(
        (rules) => Object.keys(rules).every((glob) => readGlobs(glob, limits.watch.globs) !== undefined),
        'has an invalid glob: use `*`, `?`, `[a-z]`, `**` and `{a,b}`, and no backslash',
      ),
    'Servers by file: globs, relative to the root, each with ids, the preferred first. The first matching glob decides; [] means no server.',
    'files = { "legacy/**" = ["typescript-language-server"] }',
  ),
  deadlines_s: key(
    z.record(text, seconds(limits.configuration.deadlineMost)),
    'Seconds that a call may take, by tool name, instead of `deadline_s`.',
    'deadlines_s = { find_references = 60 }',
  ),
  limits: key(
    limitsSchema,
    'Limits on time, memory and size, one [limits] table.',
    'limits = { servers_running = 4 }',
  ),
  index: key(
    indexSchema,
    'Indexes of repositories, one [index] table.',
    'index = { store = "postgres://reader@db.example/index" }',
  ),
  serve: key(serveSchema, 'Settings of `lspan serve`, one [serve] table.', 'serve = { port = 4000 }'),
  output: key(
    z.enum(['auto', 'text', 'structured', 'both']),
    'Form of answers: text, structured data, both, or what suits the client.',
    'output = "text"',
  ),
  toolsets: key(
    texts,
    'Toolsets to list, instead of the default tools.',
    'toolsets = ["navigation", "symbols"]',
  ),
  read_only: key(z.boolean(), 'true: offer no tool that changes files.', 'read_only = true'),
  daemon: key(
    z.boolean(),
    'true: `lspan mcp` and the shell commands share one process for all clients, and so its servers.',
    'daemon = true',
  ),
  confine: key(
    confineMode,
    'When language servers run in a sandbox, where one works: always, untrusted (repositories that you have not trusted) or never.',
    'confine = "always"',
  ),
  log_level: key(z.enum(['error', 'warn', 'info', 'debug']), 'Log level on stderr.', 'log_level = "info"'),
  log_format: key(z.enum(['human', 'json']), 'Log format: for people, or JSON lines.', 'log_format = "json"'),
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
  if (first === 'index' && place.length === 1) return indexSchema.shape;
  if (first === 'serve' && place.length === 1) return serveSchema.shape;
  if (first === 'servers' && place.length === 2) return serverSchema.shape;
  return first === 'servers' && third === 'timeouts' && place.length === 3 ? timeoutsSchema.shape : undefined;
}

/** Schemas by key. */
type KeyTable = Readonly<Record<string, z.ZodType>>;
