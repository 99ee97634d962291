import type { KnownServer, Survey } from '../../offline.ts';

/** Returns the servers to install so that each language of the code in a workspace has one that knows its symbols. */
export function lackingServers(
  { languages, servers }: Survey,
  known: readonly KnownServer[],
): readonly KnownServer[] {
  const lacking = languages.flatMap(({ language, isBeside }) => {
    const able = known.filter(
      ({ id, languages: served }) =>
        served.includes(language) && servers.some((one) => one.id === id && knowsSymbols(one)),
    );
    return isBeside || able.some(({ origin }) => origin !== undefined) ? [] : able.slice(0, 1);
  });
  return [...new Set(lacking)];
}

function knowsSymbols({ answers }: Survey['servers'][number]): boolean {
  return answers?.some((one) => one === 'definition' || one === 'outline') !== false;
}
