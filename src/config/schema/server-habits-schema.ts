import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { serviceNames } from '../servers/question-names.ts';
import { folder, pattern, texts } from './key-shapes.ts';
import { readySchema } from './ready-schema.ts';

const { configuration } = limits;
const service = z.enum(Object.values(serviceNames));

const foldersSchema = z.strictObject({ markers: texts.optional(), unless: texts.optional() });

/** Keys of a `[[servers]]` entry that describe the server's behaviour: readiness, projects, watching, diagnostics. */
export const serverHabitsSchema = z.strictObject({
  ready: readySchema.optional().meta({
    description:
      'How it tells that it has loaded the project: "immediate", "unknown", the end of a progress by its title, a log message (both by regular expression), or a notification whose parameters hold what `when` asks.',
    examples: ['ready = { progress = "^Indexing" }'],
  }),
  root_markers: texts.optional().meta({
    description: 'Names of the files that mark the folder of a project, the nearest above a file counting.',
    examples: ['root_markers = ["go.mod"]'],
  }),
  workspace_folders: foldersSchema.optional().meta({
    description:
      'The folders of files with the names in `markers` are its workspace folders; one above that holds a file named in `unless` stands for them.',
    examples: ['workspace_folders = { markers = ["go.mod"], unless = ["go.work"] }'],
  }),
  sees: texts.optional().meta({
    description:
      'Extensions of files of other servers that its own files use: it is asked too who refers to what they hold.',
    examples: ['sees = ["ts"]'],
  }),
  watch: texts.optional().meta({
    description: 'Globs, relative to the root, of files whose changes count though they are ignored.',
    examples: ['watch = ["build/compile_commands.json"]'],
  }),
  restarts_on: texts.optional().meta({
    description: 'Globs, relative to the root, of files after whose change it is started anew.',
    examples: ['restarts_on = ["vendor/modules.txt"]'],
  }),
  library_folders: z
    .array(folder)
    .max(configuration.entries)
    .optional()
    .meta({
      description:
        'Folders outside the workspace whose sources may be shown, beside those that lspan finds; absolute paths.',
      examples: ['library_folders = ["/opt/go/src"]'],
    }),
  loads_on_open: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: it knows a project only after one of its files was opened, so lspan opens one of each.',
      examples: ['loads_on_open = true'],
    }),
  opens_created: z
    .boolean()
    .optional()
    .meta({
      description: 'true: created files are opened rather than announced, since it notices them late.',
      examples: ['opens_created = true'],
    }),
  answers_unopened: z
    .array(service)
    .optional()
    .meta({
      description: 'The questions that it answers rightly about files that are not open.',
      examples: ['answers_unopened = ["references"]'],
    }),
  reads_only_open: z
    .boolean()
    .optional()
    .meta({
      description: 'true: it never looks again at a file that is not open, so files that changed are opened.',
      examples: ['reads_only_open = true'],
    }),
  publishes_when_read: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: it has read a text when it has published the problems of it, which questions wait for.',
      examples: ['publishes_when_read = true'],
    }),
  checks_files_alone: z
    .boolean()
    .optional()
    .meta({
      description:
        'true: the problems of a file depend on that file alone, so a change elsewhere does not matter.',
      examples: ['checks_files_alone = true'],
    }),
  diagnostics_quiet_ms: z
    .int()
    .min(0)
    .max(configuration.quietMost)
    .optional()
    .meta({
      description:
        'Milliseconds to listen on after it published problems, where it does so in several steps.',
      examples: ['diagnostics_quiet_ms = 500'],
    }),
  symbol_cap: z
    .int()
    .min(1)
    .optional()
    .meta({
      description: 'As many symbols as it gives for a search at most: that many are told to be incomplete.',
      examples: ['symbol_cap = 256'],
    }),
  child_died: pattern.optional().meta({
    description: 'A regular expression for a log message which means that a process it depends on has died.',
    examples: ['child_died = "exited with code"'],
  }),
  writes: texts.optional().meta({
    description: 'What it writes into the workspace, for `get_server_status`.',
    examples: ['writes = [".cache/clangd"]'],
  }),
});
