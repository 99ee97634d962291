import path from 'node:path';
import { limits } from '../../core/limits.ts';
import { pathOfUri, uriOfPath } from '../../workspace/gate/uri.ts';

/** The canonical spelling of a given `file:` URI, or what is wrong with it. */
type StrictUri = { readonly uri: string } | { readonly fault: string };

/**
 * Reads a URI strictly: `file:///` and an absolute path, with nothing after it. Whatever could be read in two ways is
 * refused. The disk is not touched, and the fault never repeats the URI itself.
 */
export function strictUri(given: string, platform: NodeJS.Platform = process.platform): StrictUri {
  const fault = faults.find(({ is }) => is.test(given))?.fault;
  if (fault !== undefined) return { fault };
  const reading = pathOfUri(given, platform);
  if ('wrong' in reading) return { fault: 'The URI is not well-formed.' };
  if (reading.path.length > limits.path.length) return { fault: 'The path of the URI is too long.' };
  return { uri: uriOfPath(path.resolve(reading.path)) };
}

/** Faults of a URI, in the order in which they are checked. */
const faults: readonly { readonly is: RegExp; readonly fault: string }[] = [
  { is: /^(?![a-z][a-z0-9+.-]*:)/i, fault: 'This is not a URI: give a path as file:///absolute/path.' },
  { is: /^(?!file:)/i, fault: 'Only file: URIs are supported.' },
  { is: /^file:(?!\/\/)/i, fault: 'The URI must begin with file:///.' },
  { is: /^file:\/\/[^/]/i, fault: 'The URI must not have a host.' },
  { is: /[?#]/, fault: 'The URI must not have a query or fragment.' },
  {
    is: /%(2f|5c|00)/i,
    fault: 'The URI has an encoded slash, backslash or NUL, which no file name may have.',
  },
  { is: /[\u0000-\u001f\u007f\\\p{Surrogate}]/u, fault: 'The URI has a character that must be encoded.' },
];
