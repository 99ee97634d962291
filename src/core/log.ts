/** Level of a log event. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Receives the log events of every layer; never writes to stdout. */
export type Log = (level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** A log that discards all events. */
export const silent: Log = () => {};
