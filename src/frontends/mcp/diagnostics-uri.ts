import { isUtf8 } from 'node:buffer';

const prefix = 'lspan://diagnostics/';

/** A kind of resource, as listed by `resources/templates/list`. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** The media type of the text of a resource. */
export const textType = 'text/plain';

/** The diagnostics of a file, by its path as tools take it: relative to the first root, or absolute. */
export const diagnosticsTemplate: ResourceTemplate = {
  uriTemplate: `${prefix}{+path}`,
  name: 'diagnostics',
  title: 'Problems of a file',
  description: 'Errors and warnings in the current text of a file of the workspace.',
  mimeType: textType,
};

/** Returns the URI of the diagnostics of a file. Encodes every reserved character except the slash. */
export function diagnosticsUri(file: string): string {
  return prefix + file.split('/').map(encodeURIComponent).join('/');
}

/** Returns the file of a diagnostics URI; undefined for any other URI. */
export function fileOfUri(uri: string): string | undefined {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return undefined;
  const encoded = uri.slice(prefix.length);
  return isWellEncoded(encoded) ? decodeURIComponent(encoded) : undefined;
}

/** True if every `%` sequence is valid UTF-8: others cannot be decoded. */
function isWellEncoded(text: string): boolean {
  const bytes = [...text.matchAll(/(?:%[0-9a-f]{2})+/gi)].map(([run]) =>
    Buffer.from(run.replaceAll('%', ''), 'hex'),
  );
  const stray = text.replace(/(?:%[0-9a-f]{2})+/gi, '').includes('%');
  return !stray && bytes.every((run) => isUtf8(run));
}
