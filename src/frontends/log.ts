import type { Log, LogLevel } from '../core/log.ts';
import { type LogValue, logValue } from './log-value.ts';

/** What decides how a log looks and where it goes. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'human' | 'json';
  /** Takes one line with its ending; stderr when absent. */
  readonly write?: (line: string) => void;
  readonly now?: () => Date;
}

/** The log of a process: one line an event whatever the fields hold, no secrets, and it never throws. */
export function createLog(options: LogOptions): Log {
  const { level: most, write = stderrWriter(), now = () => new Date() } = options;
  const line = lines[options.format];
  return (level, event, fields = {}) => {
    if (weight[level] > weight[most]) return;
    write(`${escapeControls(line({ time: now(), level, event, fields: visibleFields(fields) }))}\n`);
  };
}

/** Writes every character that could move a cursor, end a line or reorder text as `\uXXXX`. */
export function escapeControls(text: string): string {
  return text.replace(controls, (found) => found.split('').map(unicodeEscape).join(''));
}

interface Entry {
  readonly time: Date;
  readonly level: LogLevel;
  readonly event: string;
  readonly fields: Readonly<Record<string, LogValue>>;
}

const weight: Readonly<Record<LogLevel, number>> = { error: 0, warn: 1, info: 2, debug: 3 };

const lines: Readonly<Record<LogOptions['format'], (entry: Entry) => string>> = {
  json: (entry) => JSON.stringify(entry),
  human: ({ time, level, event, fields }) =>
    [`${clock(time)} ${level.padEnd(5)} ${event}`, ...Object.entries(fields).map(pair)].join(' '),
};

function clock(time: Date): string {
  return `${time.toTimeString().slice(0, 8)}.${String(time.getMilliseconds()).padStart(3, '0')}`;
}

function pair([name, value]: [string, LogValue]): string {
  const plain = typeof value === 'string' && /^[\w./:@%+,-]+$/.test(value);
  return `${name}=${plain ? value : JSON.stringify(value)}`;
}

/** A value that cannot be shown (a getter that throws, a proxy) must not break whoever logs it. */
function visibleFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, LogValue>> {
  try {
    return Object.fromEntries(Object.keys(fields).map((name) => [name, logValue(name, fields[name])]));
  } catch {
    return { unreadable: true };
  }
}

// C0 and C1, zero-width and bidirectional marks, line separators, tag characters, lone surrogates.
const controls =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}\p{Cs}]/gu;

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function stderrWriter(): (line: string) => void {
  // The reader of stderr may have gone; that is no reason to fail.
  process.stderr.on('error', () => {});
  return (line) => void process.stderr.write(line);
}
