import { isUtf8 } from 'node:buffer';

const prefix = 'lspan://diagnostics/';

/** A kind of resource, as `resources/templates/list` tells it. */
export interface ResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

/** What the text of a resource is. */
export const textType = 'text/plain';

/** The problems of a file, by its path as tools take it: relative to the first root, or absolute. */
export const diagnosticsTemplate: ResourceTemplate = {
  uriTemplate: `${prefix}{+path}`,
  name: 'diagnostics',
  title: 'Problems of a file',
  description: 'Errors and warnings in the present text of a file of the workspace.',
  mimeType: textType,
};

/** The URI of the problems of a file. Every character that a URI gives a meaning is encoded, but the slash. */
export function diagnosticsUri(file: string): string {
  return prefix + file.split('/').map(encodeURIComponent).join('/');
}

/** The file that a URI is about; nothing where it is no URI of ours. */
export function fileOfUri(uri: string): string | undefined {
  if (!uri.startsWith(prefix) || uri.length === prefix.length) return undefined;
  const encoded = uri.slice(prefix.length);
  return isWellEncoded(encoded) ? decodeURIComponent(encoded) : undefined;
}

/** Whether every `%` begins the bytes of a character in UTF-8: others cannot be decoded. */
function isWellEncoded(text: string): boolean {
  const bytes = [...text.matchAll(/(?:%[0-9a-f]{2})+/gi)].map(([run]) =>
    Buffer.from(run.replaceAll('%', ''), 'hex'),
  );
  const stray = text.replace(/(?:%[0-9a-f]{2})+/gi, '').includes('%');
  return !stray && bytes.every((run) => isUtf8(run));
}
