import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { serviceNames } from '../servers/question-names.ts';
import { folder, key, pattern, texts } from './key-shapes.ts';
import { readySchema } from './ready-signal-schema.ts';

const { configuration } = limits;
const service = z.enum(Object.values(serviceNames));

const foldersSchema = z.strictObject({ markers: texts.optional(), unless: texts.optional() });

/** Keys of a `[[servers]]` entry that describe the server's behaviour: readiness, projects, watching, diagnostics. */
export const serverHabitsSchema = z.strictObject({
  ready: key(
    readySchema,
    'How it tells that it has loaded the project: "immediate", "unknown", the end of a progress by its title, a log message (both by regular expression), or a notification whose parameters hold what `when` asks.',
    'ready = { progress = "^Indexing" }',
  ),
  root_markers: key(
    texts,
    'Names of the files that mark the folder of a project, the nearest above a file counting.',
    'root_markers = ["go.mod"]',
  ),
  workspace_folders: key(
    foldersSchema,
    'The folders of files with the names in `markers` are its workspace folders; one above that holds a file named in `unless` stands for them.',
    'workspace_folders = { markers = ["go.mod"], unless = ["go.work"] }',
  ),
  sees: key(
    texts,
    'Extensions of files of other servers that its own files use: it is asked too who refers to what they hold.',
    'sees = ["ts"]',
  ),
  watch: key(
    texts,
    'Globs, relative to the root, of files whose changes count though they are ignored.',
    'watch = ["build/compile_commands.json"]',
  ),
  restarts_on: key(
    texts,
    'Globs, relative to the root, of files after whose change it is started anew.',
    'restarts_on = ["vendor/modules.txt"]',
  ),
  library_folders: key(
    z.array(folder).max(configuration.entries),
    'Folders outside the workspace whose sources may be shown, beside those that lspan finds; absolute paths.',
    'library_folders = ["/opt/go/src"]',
  ),
  loads_on_open: key(
    z.boolean(),
    'true: it knows a project only after one of its files was opened, so lspan opens one of each.',
    'loads_on_open = true',
  ),
  opens_created: key(
    z.boolean(),
    'true: created files are opened rather than announced, since it notices them late.',
    'opens_created = true',
  ),
  answers_unopened: key(
    z.array(service),
    'The questions that it answers rightly about files that are not open.',
    'answers_unopened = ["references"]',
  ),
  reads_only_open: key(
    z.boolean(),
    'true: it never looks again at a file that is not open, so files that changed are opened.',
    'reads_only_open = true',
  ),
  publishes_when_read: key(
    z.boolean(),
    'true: it has read a text when it has published the problems of it, which questions wait for.',
    'publishes_when_read = true',
  ),
  checks_files_alone: key(
    z.boolean(),
    'true: the problems of a file depend on that file alone, so a change elsewhere does not matter.',
    'checks_files_alone = true',
  ),
  diagnostics_quiet_ms: key(
    z.int().min(0).max(configuration.quietMost),
    'Milliseconds to listen on after it published problems, where it does so in several steps.',
    'diagnostics_quiet_ms = 500',
  ),
  symbol_cap: key(
    z.int().min(1),
    'As many symbols as it gives for a search at most: that many are told to be incomplete.',
    'symbol_cap = 256',
  ),
  child_died: key(
    pattern,
    'A regular expression for a log message which means that a process it depends on has died.',
    'child_died = "exited with code"',
  ),
  writes: key(
    texts,
    'What it writes into the workspace, for `get_server_status`.',
    'writes = [".cache/clangd"]',
  ),
});
