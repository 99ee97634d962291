import { limits } from '../../core/limits.ts';
import type { Log, LogLevel } from '../../core/log.ts';
import { type LogStyle, type LogValue, logValue } from './log-value.ts';

/** What decides how a log looks and where it goes. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly format: 'human' | 'json';
  /** Takes one line with its ending; stderr when absent. */
  readonly write?: (line: string) => void;
  /** Whether so much waits to be read that lines are left out, and counted; of stderr when absent. */
  readonly isFull?: () => boolean;
  readonly now?: () => Date;
  /** What is shown of the values; everything but secrets when absent. */
  readonly manner?: LogStyle;
}

/**
 * The log of a process: one line an event whatever the fields hold, no secrets, and it never throws. Where nobody reads
 * it, it does not grow: lines are lost then, and the next one that is not is preceded by their number.
 */
export function createLog(options: LogOptions): Log {
  const { level: most, write = stderrWriter(), isFull = stderrIsFull, now = () => new Date() } = options;
  const line = lines[options.format];
  const tell = (level: LogLevel, event: string, fields: Fields) => {
    const shown = visibleFields(fields, options.manner);
    write(`${escapeControls(line({ time: now(), level, event, fields: shown }))}\n`);
  };
  let lost = 0;
  return (level, event, fields = {}) => {
    if (weight[level] > weight[most]) return;
    if (isFull()) {
      lost += 1;
      return;
    }
    if (lost > 0) tell('warn', 'log_not_read', { lost });
    lost = 0;
    tell(level, event, fields);
  };
}

/** Writes every character that could move a cursor, end a line or reorder text as `\uXXXX`. */
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

/** A value that cannot be shown (a getter that throws, a proxy) must not break whoever logs it. */
function visibleFields(fields: Fields, manner?: LogStyle): Readonly<Record<string, LogValue>> {
  try {
    const names = Object.keys(fields);
    return Object.fromEntries(
      names.map((name) => [manner?.field(name) ?? name, logValue(name, fields[name], manner)]),
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

/** A pipe whose reader does not read keeps what is written in memory. */
function stderrIsFull(): boolean {
  return process.stderr.writableLength > limits.logQueue;
}

/** The reader of stderr may have gone; that is no reason to fail. */
function ignore(): void {}
