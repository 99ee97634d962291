import { homedir } from 'node:os';
import { LspanError } from '../../core/errors.ts';
import { type LogStyle, plainFields } from './log-value.ts';
import { redactedPath } from './redacted-path.ts';

/**
 * Log style that shows what happened but not the content: names of our own, paths inside the roots, and our own
 * sentences without possible secrets. All other texts are replaced by their length.
 */
export function redactedLog(roots: readonly string[]): LogStyle {
  const shownPath = redactedPath(roots);
  const paths = pathsIn([...roots, homedir()]);
  return {
    text: (name, text) => {
      if (pathFields.has(name)) return redacted(shownPath(text));
      if (sentenceFields.has(name)) return redacted(text.replace(paths, shownPath));
      return nameFields.has(name) && nameLike.test(text) ? redacted(text) : measured(text);
    },
    field: (name) => (fieldLike.test(name) ? redacted(name) : measured(name)),
    fieldsOf: (value) => (value instanceof Error ? factsOf(value) : plainFields(value)),
  };
}

/** Fields with names from closed sets of ours or of the system. */
const nameFields: ReadonlySet<string> = new Set([
  ...['address', 'at', 'code', 'direction', 'ending', 'endpoint', 'event', 'how', 'language', 'method'],
  ...['name', 'part', 'route', 'rpc', 'server', 'signal', 'state', 'tool', 'version'],
]);

/** Fields with paths or URIs. */
const pathFields: ReadonlySet<string> = new Set([
  ...['completed', 'file', 'files', 'folder', 'from', 'path', 'root', 'roots', 'to', 'undone', 'uri'],
]);

/** Fields with sentences that lspan wrote for its operator. */
const sentenceFields: ReadonlySet<string> = new Set(['reason', 'warning', 'why']);

const nameLike = /^[\w$@.:/+-]{1,64}$/;
const fieldLike = /^[a-z]\w{0,40}$/i;

/** Removes tokens and session ids, which are always secret. */
function redacted(text: string): string {
  return text
    .replace(/\bbearer\s+\S+/gi, 'Bearer [redacted]')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '[redacted]')
    .replace(/[\w-]{43,}/g, '[redacted]');
}

/** Matches paths in a sentence. Known folders are matched whole, since their names may contain spaces. */
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

/** Shows the code of our own errors; of others the name, code and source line, but not the message. */
function factsOf(error: Error): object {
  const { cause } = error;
  if (error instanceof LspanError) return { code: error.code, cause };
  const code = 'code' in error ? error.code : undefined;
  return { name: error.name, code, at: frameOf(error), cause };
}

/** Returns the file and line that threw. Skips the message before the frames, since it could look like a frame. */
function frameOf({ name, message, stack = '' }: Error): string | undefined {
  const heading = message === '' ? name : `${name}: ${message}`;
  const frames = stack.startsWith(heading) ? stack.slice(heading.length) : '';
  return /^ +at .*?([\w.-]+\.[cm]?[jt]s:\d+:\d+)\)?$/m.exec(frames)?.[1];
}
