import path from 'node:path';
import { windowsFault } from './windows-path.ts';

export { uriOfPath } from '../../platform/files/uri-of-path.ts';

/** The path that a `file:` URI names, or why it names none. */
type UriReading = { readonly path: string } | { readonly wrong: 'scheme' | 'host' | 'malformed' };

/** Reads a URI without touching the disk: decodes it exactly once, and neither normalises nor checks it. */
export function pathOfUri(uri: string, platform: NodeJS.Platform = process.platform): UriReading {
  if (platform !== 'win32' && plainFileUri.test(uri)) return { path: uri.slice('file://'.length) };
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):([^?#]*)/i.exec(uri) ?? [];
  if (scheme?.toLowerCase() !== 'file') return { wrong: scheme === undefined ? 'malformed' : 'scheme' };
  const [, host, encoded = rest] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [];
  if (host !== undefined && !/^(?:localhost)?$/i.test(host)) return { wrong: 'host' };
  const decoded = decodeOnce(encoded);
  if (!decoded?.startsWith('/') || decoded.includes('\0')) return { wrong: 'malformed' };
  return platform === 'win32' ? windowsPath(decoded) : { path: decoded };
}

/** True if a text is a URI rather than a path; a single letter is a drive, not a scheme. */
export function looksLikeUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(text);
}

const plainFileUri = /^file:\/\/\/[\w./~-]*$/;

function decodeOnce(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

// `//host/share` would make Windows contact another machine.
function windowsPath(decoded: string): UriReading {
  if (/^[/\\]{2}/.test(decoded)) return { wrong: 'host' };
  const drive = /^\/([a-z]:[/\\].*)$/is.exec(decoded)?.[1];
  const odd = drive === undefined || windowsFault(drive) !== undefined;
  if (odd) return { wrong: 'malformed' };
  // Editors and servers write the drive in either case, the system's own real paths in upper case.
  return { path: path.win32.normalize(drive).replace(/^[a-z]/, (letter) => letter.toUpperCase()) };
}
