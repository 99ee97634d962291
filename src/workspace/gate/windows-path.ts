/**
 * Returns why Windows would read a path as something else than it looks like, as the end of a sentence. One name must
 * mean one file, or a rule about names can be evaded: `a.ts.`, `a.ts::$DATA` and `C:a.ts` are all spellings of `a.ts`.
 * Short names such as `PROGRA~1` are left to the real path, which expands them.
 */
export function windowsFault(given: string): string | undefined {
  if (/^[a-z]:(?![/\\])/i.test(given)) return 'is relative to the current folder of a drive';
  const names = given.replace(/^[a-z]:/i, '').split(/[/\\]/);
  return names.map(nameFault).find((fault) => fault !== undefined);
}

function nameFault(name: string): string | undefined {
  if (name.includes(':')) return 'names a file stream';
  if (device.test(name)) return 'names a device';
  if (/[. ]$/.test(name) && !/^\.\.?$/.test(name)) return 'has a name that ends in a dot or a space';
  return undefined;
}

// https://learn.microsoft.com/windows/win32/fileio/naming-a-file: with any extension, and in every folder.
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[ .].*)?$/i;

/** True if a path leads to another machine or a device: merely asking Windows about it would contact it. */
export function isForeignShare(given: string, platform: NodeJS.Platform): boolean {
  return given.startsWith('\\\\') || (platform === 'win32' && /^[/\\]{2}/.test(given));
}
