import { limits } from '../../core/limits.ts';
import type { Log, LogLevel } from '../../core/log.ts';
import { type LogStyle, type LogValue, logValue } from './log-value.ts';

/** Options of a log. */
interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'human' | 'json';
  /** Writes one line with its newline. Default: to stderr. */
  readonly write?: (line: string) => void;
  /** True if so much is unread that lines are dropped and counted. Default: the queue of stderr. */
  readonly isFull?: () => boolean;
  readonly now?: () => Date;
  /** Default: shows everything but secrets. */
  readonly style?: LogStyle;
}

/**
 * Creates the log of a process: one line per event whatever the fields contain, no secrets, and it never throws. It does
 * not grow if its output is not read: lines are dropped, and the next written line is preceded by their number.
 */
export function createLog(options: LogOptions): Log {
  const { level: threshold, write = stderrWriter(), isFull = stderrIsFull, now = () => new Date() } = options;
  const line = lines[options.format];
  const writeLine = (level: LogLevel, event: string, fields: Fields) => {
    const shown = visibleFields(fields, options.style);
    write(`${escapeControls(line({ time: now(), level, event, fields: shown }))}\n`);
  };
  let lost = 0;
  return (level, event, fields = {}) => {
    if (weight[level] > weight[threshold]) return;
    if (isFull()) {
      lost += 1;
      return;
    }
    if (lost > 0) writeLine('warn', 'log_not_read', { lost });
    lost = 0;
    writeLine(level, event, fields);
  };
}

/** Escapes every character that could move a cursor, end a line or reorder text as `\uXXXX`. */
export function escapeControls(text: string): string {
  return text.replace(controls, (found) => found.split('').map(unicodeEscape).join(''));
}

type Fields = Readonly<Record<string, unknown>>;

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

/** A value that throws when read (a getter, a proxy) must not break the caller. */
function visibleFields(fields: Fields, style?: LogStyle): Readonly<Record<string, LogValue>> {
  try {
    const names = Object.keys(fields);
    return Object.fromEntries(
      names.map((name) => [style?.field(name) ?? name, logValue(name, fields[name], style)]),
    );
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
  const { stderr } = process;
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore);
  return (line) => void stderr.write(line);
}

/** Writes to a pipe that is not read stay in memory. */
function stderrIsFull(): boolean {
  return process.stderr.writableLength > limits.logQueue;
}

/** Stderr may be closed; that is not a reason to fail. */
function ignore(): void {}
