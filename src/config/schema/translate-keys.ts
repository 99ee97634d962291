import { fileURLToPath } from 'node:url';
import { isRecord } from '../../core/runtime/json.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { serviceNames } from '../servers/question-names.ts';
import { nameOfProgram } from '../servers/single-definition.ts';

/** A configuration in our keys, and a note for each key of another program. */
interface Translated {
  readonly value: unknown;
  readonly notes: readonly string[];
}

/** Translates the keys of lspi and of LLxprt Code to ours, so that their users can keep their files. */
export function translateKeys(value: unknown): Translated {
  if (!isRecord(value)) return { value, notes: [] };
  const file = translateTable(value, fileKeys, '');
  const { servers } = file.value;
  if (!Array.isArray(servers)) return file;
  const translated = servers.map((server, index) =>
    isRecord(server)
      ? translateTable(completeServer(server), serverKeys, `servers[${index}].`)
      : { value: server, notes: [] },
  );
  return {
    value: { ...file.value, servers: translated.map((one) => one.value) },
    notes: [...file.notes, ...translated.flatMap(({ notes }) => notes)],
  };
}

type Table = Readonly<Record<string, unknown>>;

/** What becomes of a key of another program: other keys of ours, or a reason why it has no effect. */
type Meaning =
  | { readonly as: string; readonly convert: (value: unknown) => Table }
  | { readonly unread: string };

function renamed(key: string, convert: (value: unknown) => unknown = (value) => value): Meaning {
  return { as: key, convert: (value) => ({ [key]: convert(value) }) };
}

/** Of a time in milliseconds. */
function inSeconds(key: string): Meaning {
  return renamed(key, toSeconds);
}

function limit(key: string): Meaning {
  return { as: `limits.${key}`, convert: (value) => ({ limits: { [key]: toSeconds(value) } }) };
}

function toSeconds(value: unknown): unknown {
  return typeof value === 'number' ? value / 1000 : value;
}

const listed = 'answers list every problem with its severity, in pages';

const fileKeys: Readonly<Record<string, Meaning>> = {
  workspace_root: { unread: 'give the folder with --workspace' },
  mcp: { unread: 'max_tokens bounds the size of answers' },
  diagnosticTimeout: limit('diagnostics_s'),
  diagnosticsTimeoutMs: limit('diagnostics_s'),
  firstTouchTimeout: limit('diagnostics_cold_s'),
  firstTouchTimeoutMs: limit('diagnostics_cold_s'),
  navigationTimeoutMs: inSeconds('deadline_s'),
  requestTimeoutMs: inSeconds('deadline_s'),
  navigationTools: { unread: 'lspan host --no-mcp serves no tools' },
  includeSeverities: { unread: listed },
  maxDiagnosticsPerFile: { unread: listed },
  maxProjectDiagnosticsFiles: { unread: listed },
};

const serverKeys: Readonly<Record<string, Meaning>> = {
  kind: { unread: 'the id says which server it is' },
  initialize_timeout_ms: inSeconds('initialize_timeout_s'),
  request_timeout_ms: {
    as: 'timeouts',
    convert: (value) => ({
      timeouts: Object.fromEntries(Object.values(serviceNames).map((name) => [name, toSeconds(value)])),
    }),
  },
  warmup_timeout_ms: { unread: 'a call waits until the server is ready, at most limits.readiness_s' },
  idle_shutdown_ms: { unread: 'limits.idle_stop_s is for all servers' },
  restart_interval_minutes: { unread: 'a server is restarted when it crashes or is out of date' },
  initialize_options: renamed('initialization_options'),
  initializationOptions: renamed('initialization_options'),
  workspace_configuration: renamed('settings'),
  languageId: renamed('language_id'),
  rootDir: renamed('root_dir'),
  rootUri: renamed('root_dir', toPath),
};

function toPath(uri: unknown): unknown {
  const read = typeof uri === 'string' ? resultOrError(() => fileURLToPath(uri)) : uri;
  return typeof read === 'string' ? read : uri;
}

function translateTable(
  table: Table,
  meanings: Readonly<Record<string, Meaning>>,
  place: string,
): { readonly value: Table; readonly notes: readonly string[] } {
  let value: Table = {};
  const notes: string[] = [];
  for (const [key, given] of Object.entries(table)) {
    const meaning = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
    if (!meaning) value = join(value, { [key]: given });
    else if ('unread' in meaning) notes.push(`${place}${key} has no effect: ${meaning.unread}.`);
    else {
      value = join(meaning.convert(given), value);
      notes.push(`${place}${key} is read as ${meaning.as}.`);
    }
  }
  return { value, notes };
}

/** Joins two tables; the second one wins, and tables in both are joined too. */
function join(weak: Table, strong: Table): Table {
  const both = Object.entries(strong).map(([key, value]) => {
    const other = weak[key];
    return [key, isRecord(other) && isRecord(value) ? { ...other, ...value } : value] as const;
  });
  return { ...weak, ...Object.fromEntries(both) };
}

/** Makes a list of a command that is one word, and names a server that only has a kind or a command. */
function completeServer(server: Table): Table {
  const { command, kind, id } = server;
  const words = typeof command === 'string' && /^\S+$/.test(command) ? { command: [command] } : {};
  if (id !== undefined) return { ...server, ...words };
  if (typeof kind === 'string' && kind !== 'generic')
    return { ...server, ...words, id: kind.replaceAll('_', '-') };
  return typeof command === 'string' ? { ...server, ...words, id: nameOfProgram(command) } : server;
}
