import { readFileSync } from 'node:fs';

/** The text with the line ends of Windows. */
export function windows(text: string): string {
  return text.replaceAll('\n', '\r\n');
}

/** The text with a byte order mark. */
export function withMark(text: string): string {
  return `\ufeff${text}`;
}

/** A file as the titles of sections have it. */
export function shown(file: string): string {
  return file.replace(/^project\//, '');
}

/** The expected content of a file, by the title of its section in a golden file. */
export function section(golden: string, title: string): string {
  const [, rest] = readFileSync(golden, 'utf8').split(`==== ${title}\n`);
  return rest?.split('==== ')[0] ?? `there is no section ${title}`;
}
