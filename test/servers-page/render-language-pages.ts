import { groupBy } from '../../src/core/runtime/group-by.ts';
import type { Service } from '../../src/servers/definition.ts';
import type { LanguageNotes } from './language-notes.ts';
import type { ToolProof } from './proven-tools.ts';
import { type ServerFacts, serviceWords, trustOf } from './render-servers-page.ts';

/** What the pages are made from. */
export interface LanguageFacts {
  readonly servers: readonly ServerFacts[];
  readonly tools: ReadonlyMap<string, ReadonlyMap<string, ToolProof>>;
}

/** The page about some languages, as Markdown. */
export function renderLanguagePage(notes: LanguageNotes, { servers, tools }: LanguageFacts): string {
  const own = notes.servers.map((id) => factsOf(id, servers));
  return [
    `# ${notes.title}`,
    '',
    '| Server | What it is | Proven | Needs trust |',
    '|---|---|---|---|',
    ...own.map(row),
    '',
    ...choiceOf(own),
    '## Install',
    '',
    ...own.map(({ definition }) => `- ${definition.id}: ${definition.install}`),
    '',
    '`lspan doctor` in your project says which of them it found, asks each about your own code, and has the next step for',
    'what is missing.',
    '',
    '## Without set-up',
    '',
    ...notes.found.map((text) => `- ${text}`),
    '',
    ...doubtsOf(notes),
    ...provenBy(own, tools),
    `[All languages](README.md) · [All servers](../servers.md) · [Troubleshooting](../troubleshooting.md)`,
    '',
  ].join('\n');
}

/** The list of these pages, as Markdown. */
export function renderLanguageIndex(
  pages: readonly LanguageNotes[],
  { servers }: Pick<LanguageFacts, 'servers'>,
): string {
  const isProven = (id: string) => factsOf(id, servers).proof !== undefined;
  return [
    '# Languages',
    '',
    'How to get answers about a language: which servers, how to install them, what is found without set-up, and what to do',
    'about doubts. Proven means that scenarios in `test/scenarios` ask the real server; the other definitions are written',
    'from the documentation of their servers. Any other language: add its server',
    '[to the configuration](../configuration.md#servers).',
    '',
    'These pages are made from the definitions in `src/servers`, the scenarios and `test/servers-page/language-notes.ts`;',
    '`UPDATE_GOLDEN=1 npx vitest run test/servers-page` writes them anew.',
    '',
    '| Languages | Servers | Proven |',
    '|---|---|---|',
    ...pages.map(({ page, title, servers: ids }) => {
      const some = ids.filter(isProven);
      const proof = some.length === ids.length ? 'yes' : some.join(', ') || 'no';
      return `| [${title}](${page}.md) | ${ids.join(', ')} | ${proof} |`;
    }),
    '',
  ].join('\n');
}

function factsOf(id: string, servers: readonly ServerFacts[]): ServerFacts {
  const found = servers.find(({ definition }) => definition.id === id);
  if (found === undefined) throw new Error(`There is no server ${id}.`);
  return found;
}

/** Who answers, where several servers do the same. */
function choiceOf(own: readonly ServerFacts[]): readonly string[] {
  const groups = groupBy(own, ({ definition }) => definition.group);
  return [...groups].flatMap(([group, list]) => {
    if (group === undefined || list.length < 2) return [];
    const ranked = list
      .map(({ definition: { id, rank = 0 } }) => ({ id, rank }))
      .sort((a, b) => b.rank - a.rank);
    const names = ranked.map(({ id }) => id).join(', ');
    return [`One of these answers, the first that is installed and serves the folder: ${names}.`, ''];
  });
}

function row({ definition, proof, note }: ServerFacts): string {
  const { id } = definition;
  const services = Object.entries(serviceWords).flatMap(([service, word]) =>
    proof !== undefined && hasService(proof.services, service) ? [word] : [],
  );
  const cells = [
    `[${id}](../servers.md#${id})`,
    note,
    services.join(', ') || 'untested',
    trustOf(definition) || 'no',
  ];
  return `| ${cells.join(' | ')} |`;
}

function hasService(services: ReadonlySet<Service>, name: string): boolean {
  return [...services].some((service) => service === name);
}

function doubtsOf({ doubts }: LanguageNotes): readonly string[] {
  if (doubts.length === 0) return [];
  return [
    '## What it may say, and what to do',
    '',
    '| It says | Do |',
    '|---|---|',
    ...doubts.map((doubt) => `| ${doubt.says} | ${doubt.do} |`),
    '',
  ];
}

/** The tools that scenarios have asked these servers by, with an answer. */
function provenBy(own: readonly ServerFacts[], tools: LanguageFacts['tools']): readonly string[] {
  const lines = own.flatMap(({ definition: { id } }) => {
    const answered = [...(tools.get(id) ?? [])].flatMap(([tool, proof]) =>
      proof === 'answered' ? [`\`${tool}\``] : [],
    );
    return answered.length === 0 ? [] : [`- ${id}: ${answered.sort().join(', ')}`];
  });
  if (lines.length === 0) return [];
  return ['## Tools that are proven on the real server', '', ...lines, ''];
}
