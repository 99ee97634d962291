/** How much a log tells. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug';

/** Where every layer tells what it does; it never reaches stdout. */
export type Log = (level: LogLevel, event: string, fields?: Readonly<Record<string, unknown>>) => void;

/** A log that tells nothing. */
export const silent: Log = () => {};
