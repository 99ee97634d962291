import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The texts that the server knows: open documents, and the other files as the client last reported them. */
export class Texts {
  open = new Map();
  files = new Map();
  encoding = 'utf-16';

  /** Reads every text file below a folder. */
  load(folder) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'node_modules' || entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.load(path);
      else if (entry.isFile()) this.reload(pathToFileURL(path).href);
    }
  }

  /** Reads one file again, or removes it. */
  reload(uri) {
    if (!uri.startsWith('file:')) return;
    const path = fileURLToPath(uri);
    const stat = statSync(path, { throwIfNoEntry: false });
    const text = stat?.isFile() && stat.size < 1 << 20 ? readFileSync(path, 'utf8') : undefined;
    if (text === undefined || text.includes('\0')) this.files.delete(uri);
    else this.files.set(uri, text);
  }

  /** Returns each uri with its text, sorted. */
  all() {
    const uris = [...new Set([...this.open.keys(), ...this.files.keys()])].sort();
    return uris.map((uri) => ({ uri, text: this.text(uri) }));
  }

  text(uri) {
    return this.open.get(uri)?.text ?? this.files.get(uri) ?? '';
  }

  /** Applies one content change, whole or ranged. */
  change(uri, { range, text }) {
    const document = this.open.get(uri);
    if (!range) document.text = text;
    else {
      const before = document.text.slice(0, this.offset(document.text, range.start));
      const after = document.text.slice(this.offset(document.text, range.end));
      document.text = before + text + after;
    }
  }

  offset(text, { line, character }) {
    const before = text.split('\n').slice(0, line).join('\n').length + (line > 0 ? 1 : 0);
    return before + fromUnits(text.split('\n')[line] ?? '', character, this.encoding);
  }

  /** Converts UTF-16 indexes in a line to a range. */
  range(lineText, line, start, end) {
    const at = (index) => ({ line, character: toUnits(lineText, index, this.encoding) });
    return { start: at(start), end: at(end) };
  }
}

/** Converts a UTF-16 index to a column in the server's units. */
function toUnits(line, index, encoding) {
  const before = line.slice(0, index);
  if (encoding === 'utf-8') return Buffer.byteLength(before);
  return encoding === 'utf-32' ? [...before].length : before.length;
}

/** Converts a column in the server's units to a UTF-16 index. */
export function fromUnits(line, units, encoding) {
  if (encoding === 'utf-8') return Buffer.from(line).subarray(0, units).toString().length;
  if (encoding === 'utf-32') return [...line].slice(0, units).join('').length;
  return Math.min(units, line.length);
}
