import type { Json } from '../../../core/runtime/json.ts';
import type { SettingsOfFiles } from '../../../servers/definition.ts';
import type { Change } from '../../../workspace/workspace.ts';
import { type FileParts, filePartsOf, type PartsContext } from './file-parts.ts';

/** Knows which settings a server must be sent before it can understand certain files. */
export class FileSettings {
  readonly #settings: SettingsOfFiles;
  /** The settings that the server has, by file. */
  readonly #sent = new Map<string, string>();

  constructor(settings: SettingsOfFiles) {
    this.#settings = settings;
  }

  /** Returns the settings for a file that the server does not have yet; they count as sent. */
  toSend(path: string): Json | undefined {
    const settings = this.#settings.of(path);
    const text = settings && JSON.stringify(settings);
    if (text === undefined || this.#sent.get(path) === text) return undefined;
    this.#sent.set(path, text);
    return settings;
  }

  note(changes: readonly Change[]): void {
    this.#settings.note(changes.map(({ path }) => path));
  }
}

/** Returns what decides how a session opens documents: under which name, with which settings, and until when. */
export function openingRules(context: PartsContext): {
  readonly parts: FileParts | undefined;
  readonly fileSettings: FileSettings | undefined;
  readonly hasChangedOutside: () => boolean;
} {
  const { definition, facts } = context;
  // Elsewhere, the paths are others.
  const settings = definition.far ? undefined : definition.projects?.settingsOfFiles?.(facts);
  return {
    parts: filePartsOf(context),
    fileSettings: settings && new FileSettings(settings),
    hasChangedOutside: () => definition.projects?.isOutdated?.(facts) === true,
  };
}
