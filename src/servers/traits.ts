import type { ServerDefinition, Service } from './definition.ts';

/** The doubt of servers that search only the file that is asked about, whatever uses the name elsewhere. */
export const fileOnly: NonNullable<ServerDefinition['doubts']> = (_facts, service) => {
  const detail = 'Only the file itself was searched; search the text of the others.';
  return searching.has(service) ? [{ kind: 'project_not_loaded', detail }] : [];
};

const searching: ReadonlySet<Service> = new Set(['references', 'implementations', 'calls', 'types']);

/** What every server answers that knows a language in depth. */
export const languageAnswers = [
  ...(['definition', 'references', 'hover', 'outline', 'symbols'] as const),
  ...(['diagnostics', 'rename', 'type', 'calls', 'signatures'] as const),
] as const satisfies readonly Service[];

/** Nothing listens there: whatever is fetched through it fails at once. */
export const nowhere = 'http://127.0.0.1:9';

/** Variables that keep a server from fetching where no setting of its own does. */
export const noNetwork = { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, NO_PROXY: '' } as const;

/** One field of what may be an object, by its own key alone. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}

/** Said to servers that complete only for clients that understand snippets. */
export const completesSnippets = {
  textDocument: { completion: { completionItem: { snippetSupport: true } } },
};
