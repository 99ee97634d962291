import type { Json } from '../../../core/runtime/json.ts';
import { mayBePart } from '../../../source-text/c-fragments.ts';
import type { Change } from '../../../workspace/workspace.ts';
import { type FileParts, filePartsOf, type PartsContext } from './file-parts.ts';

/** Knows the settings that a server needs before it can understand certain files. */
export class FileSettings {
  readonly #make: () => (file: string) => Json | undefined;
  #settingsOf: ((file: string) => Json | undefined) | undefined;
  /** The settings that the server has, by file. */
  readonly #sent = new Map<string, string>();

  constructor(make: () => (file: string) => Json | undefined) {
    this.#make = make;
  }

  /** Returns the settings for a file that the server does not have yet; they count as sent. */
  toSend(path: string): Json | undefined {
    this.#settingsOf ??= this.#make();
    const settings = this.#settingsOf(path);
    const text = settings && JSON.stringify(settings);
    if (text === undefined || this.#sent.get(path) === text) return undefined;
    this.#sent.set(path, text);
    return settings;
  }

  /** Notes changes on the disk: what was read may be outdated. */
  note(changes: readonly Change[]): void {
    if (changes.some(({ path }) => mayBePart(path))) this.#settingsOf = undefined;
  }
}

/** Returns what decides how a session opens documents: under which name, and with which settings. */
export function openingRules(context: PartsContext): {
  readonly parts: FileParts | undefined;
  readonly fileSettings: FileSettings | undefined;
} {
  const { definition, facts } = context;
  const make = definition.projects?.settingsOfFile;
  return { parts: filePartsOf(context), fileSettings: make && new FileSettings(() => make(facts)) };
}
