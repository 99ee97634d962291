import type { ServerDefinition, Service } from './definition.ts';

/** The doubt of servers that search only the given file, even if others use the name. */
export const fileOnly: NonNullable<ServerDefinition['doubts']> = (_facts, service) => {
  const detail = 'Only the file itself was searched; search the text of the others.';
  return searching.has(service) ? [{ kind: 'project_not_loaded', detail }] : [];
};

const searching: ReadonlySet<Service> = new Set(['references', 'implementations', 'calls', 'types']);

/** The questions that every server with full knowledge of a language answers. */
export const languageAnswers = [
  ...(['definition', 'references', 'hover', 'outline', 'symbols'] as const),
  ...(['diagnostics', 'rename', 'type', 'calls', 'signatures'] as const),
] as const satisfies readonly Service[];

/** A proxy address at which nothing listens: every fetch through it fails at once. */
export const nowhere = 'http://127.0.0.1:9';

/** Variables that keep a server without such a setting from fetching anything. */
export const noNetwork = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '' } as const;

/** Returns an own field of a value; `undefined` if the value is not an object. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

/** The capability for servers that offer completions only to clients with snippet support. */
export const completesSnippets = {
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};
