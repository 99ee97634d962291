import type { ServerDefinition } from './definition.ts';
import { languageOf } from './language-of.ts';

/** Groups files by the language that the definitions know them by; leaves out files of none. */
export function filesByLanguage(
  files: Iterable<string>,
  definitions: readonly ServerDefinition[],
): readonly (readonly [language: string, files: readonly string[]])[] {
  // One table of all extensions, since there may be very many files. The first definition decides.
  const merged = definitions.toReversed().map(({ extensions }) => extensions);
  const all = { extensions: Object.assign({}, ...merged) };
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const language = languageOf(file, all);
    if (language === undefined) continue;
    const group = groups.get(language);
    if (group) group.push(file);
    else groups.set(language, [file]);
  }
  return [...groups];
}
