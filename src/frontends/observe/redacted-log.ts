import { homedir } from 'node:os';
import { LspanError } from '../../core/errors.ts';
import { type LogStyle, plainFields } from './log-value.ts';
import { redactedPath } from './redacted-path.ts';

/**
 * The manner of a log that tells what happened and not about what: of texts it shows names of our own, places inside of
 * the roots, and sentences of ours without what could be a secret. Any other is only measured, whoever logged it.
 */
export function redactedLog(roots: readonly string[]): LogStyle {
  const place = redactedPath(roots);
  const paths = pathsIn([...roots, homedir()]);
  return {
    text: (name, text) => {
      if (places.has(name)) return redacted(place(text));
      if (sentences.has(name)) return redacted(text.replace(paths, place));
      return names.has(name) && nameLike.test(text) ? redacted(text) : measured(text);
    },
    field: (name) => (fieldLike.test(name) ? redacted(name) : measured(name)),
    fieldsOf: (value) => (value instanceof Error ? factsOf(value) : plainFields(value)),
  };
}

/** Fields that hold names from sets of our own, or of the system's. */
const names: ReadonlySet<string> = new Set([
  ...['address', 'at', 'code', 'direction', 'ending', 'endpoint', 'event', 'how', 'language', 'method'],
  ...['name', 'part', 'route', 'rpc', 'server', 'signal', 'state', 'tool', 'version'],
]);

/** Fields that hold paths or URIs. */
const places: ReadonlySet<string> = new Set([
  ...['completed', 'file', 'files', 'folder', 'from', 'path', 'root', 'roots', 'to', 'undone', 'uri'],
]);

/** Fields that hold words which lspan wrote itself for whoever runs it. */
const sentences: ReadonlySet<string> = new Set(['reason', 'warning', 'why']);

const nameLike = /^[\w$@.:/+-]{1,64}$/;
const fieldLike = /^[a-z]\w{0,40}$/i;

/** A text without what is told to nobody: tokens, and the identifiers of sessions. */
function redacted(text: string): string {
  return text
    .replace(/\bbearer\s+\S+/gi, 'Bearer [redacted]')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '[redacted]')
    .replace(/[\w-]{43,}/g, '[redacted]');
}

/** What is a path in a sentence. The folders that are known may have spaces in their names, and are taken whole. */
function pathsIn(folders: readonly string[]): RegExp {
  const known = folders
    .filter((folder) => folder.length > 1)
    .map((folder) => folder.replace(/[^\w/]/g, '\\$&'));
  const starts = [...known, '~?[/\\\\]', '[a-z]:[/\\\\]', 'file:'].join('|');
  return new RegExp(`(?<![\\w.])(?:${starts})[^\\s"'\`<>,;)]*`, 'gi');
}

function measured(text: string): string {
  return `[${text.length} characters]`;
}

/** Of our own errors the code; of others what they are and where in our code, not what they say. */
function factsOf(error: Error): object {
  const { cause } = error;
  if (error instanceof LspanError) return { code: error.code, cause };
  const code = 'code' in error ? error.code : undefined;
  return { name: error.name, code, at: frameOf(error), cause };
}

/** The file and the line that threw; the message, which stands before the frames, could look like one. */
function frameOf({ name, message, stack = '' }: Error): string | undefined {
  const said = message === '' ? name : `${name}: ${message}`;
  const frames = stack.startsWith(said) ? stack.slice(said.length) : '';
  return /^ +at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)\)?$/m.exec(frames)?.[1];
}
