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
    'How it signals that the project is loaded: "immediate", "unknown", the end of a progress by its title, a log message (both by regular expression), or a notification whose parameters match `when`.',
    'ready = { progress = "^Indexing" }',
  ),
  root_markers: key(
    texts,
    'Names of files that mark a project folder; the nearest one above a file counts. These folders are its workspace folders, and a single one is its root.',
    'root_markers = ["go.mod"]',
  ),
  workspace_folders: key(
    foldersSchema,
    'Folders with a file named in `markers` are its workspace folders; a folder above with a file named in `unless` replaces them.',
    'workspace_folders = { markers = ["go.mod"], unless = ["go.work"] }',
  ),
  sees: key(
    texts,
    "Extensions of other servers' files that its own files use: it is also asked for references to their symbols.",
    'sees = ["ts"]',
  ),
  watch: key(
    texts,
    'Globs, relative to the root, of ignored files whose changes count.',
    'watch = ["build/compile_commands.json"]',
  ),
  restarts_on: key(
    texts,
    'Globs, relative to the root, of files whose changes restart it.',
    'restarts_on = ["vendor/modules.txt"]',
  ),
  library_folders: key(
    z.array(folder).max(configuration.entries),
    'More folders outside the workspace whose sources may be shown; absolute paths.',
    'library_folders = ["/opt/go/src"]',
  ),
  loads_on_open: key(
    z.boolean(),
    'true: it loads a project only when one of its files is opened, so lspan opens one of each.',
    'loads_on_open = true',
  ),
  opens_created: key(
    z.boolean(),
    'true: lspan opens created files, since the server notices them late.',
    'opens_created = true',
  ),
  answers_unopened: key(
    z.array(service),
    'Questions that it answers correctly about files that are not open.',
    'answers_unopened = ["references"]',
  ),
  reads_only_open: key(
    z.boolean(),
    'true: it never rereads a file that is not open, so lspan opens changed files.',
    'reads_only_open = true',
  ),
  publishes_when_read: key(
    z.boolean(),
    'true: it publishes the problems of a text once it has read it; questions wait for that.',
    'publishes_when_read = true',
  ),
  checks_files_alone: key(
    z.boolean(),
    'true: the problems of a file depend on that file alone.',
    'checks_files_alone = true',
  ),
  diagnostics_quiet_ms: key(
    z.int().min(0).max(configuration.quietMost),
    'Milliseconds to wait for more problems, if it publishes them in steps.',
    'diagnostics_quiet_ms = 500',
  ),
  edit_commands: key(
    texts,
    'Its commands that only request edits; lspan sends no others.',
    'edit_commands = ["fix.apply"]',
  ),
  symbol_cap: key(
    z.int().min(1),
    'Most symbols that it returns for a search: an answer with that many is marked incomplete.',
    'symbol_cap = 256',
  ),
  static: key(
    z.boolean(),
    'true: it answers from an index that it made before; its answers are marked as that old, and it makes no changes.',
    'static = true',
  ),
  child_died: key(
    pattern,
    'Regular expression of the log message when a process it depends on has died.',
    'child_died = "exited with code"',
  ),
  writes: key(
    texts,
    'Files that it writes into the workspace, for `get_server_status`.',
    'writes = [".cache/clangd"]',
  ),
});
