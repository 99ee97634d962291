import type { Tool, Toolset } from '../../src/tools/run/tool.ts';
import type { ToolProof } from './proven-tools.ts';

/** The page that tells which tool was tried on which server, as Markdown. */
export function renderToolsPage(
  tools: readonly Tool[],
  proven: ReadonlyMap<string, ReadonlyMap<string, ToolProof>>,
): string {
  const servers = [...proven.keys()].sort();
  return [
    '# Tools by server',
    '',
    'What each tool did on each language server, from real runs: every mark is an answer that a scenario in',
    '`test/scenarios` pins. This page is made from those scenarios; `UPDATE_GOLDEN=1 npx vitest run test/servers-page`',
    'writes it anew.',
    '',
    '✓ the server answered through the tool · – the tool says that the server does not support it · blank: not tried.',
    'Tools of the toolsets `batch` and `servers` work on every server alike.',
    '',
    ...groups.flatMap(({ title, toolsets }) => {
      const shown = tools.filter(({ toolset }) => toolsets.includes(toolset));
      return [`## ${title}`, '', ...table(shown, servers, proven), ''];
    }),
  ].join('\n');
}

const groups: readonly { readonly title: string; readonly toolsets: readonly Toolset[] }[] = [
  { title: 'Navigation', toolsets: ['navigation'] },
  { title: 'Symbols and intelligence', toolsets: ['symbols', 'intelligence'] },
  { title: 'Quality', toolsets: ['quality'] },
  { title: 'Refactoring and files', toolsets: ['refactor', 'files'] },
];

function table(
  tools: readonly Tool[],
  servers: readonly string[],
  proven: ReadonlyMap<string, ReadonlyMap<string, ToolProof>>,
): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const names = tools.map(({ name }) => name);
  const cellOf = (server: string, tool: string) => {
    const proof = proven.get(server)?.get(tool);
    return proof === undefined ? '' : marks[proof];
  };
  return [
    row(['Server', ...names.map((name) => `\`${name}\``)]),
    `|---|${names.map(() => ':-:|').join('')}`,
    ...servers.map((server) =>
      row([`[${server}](servers.md#${server})`, ...names.map((name) => cellOf(server, name))]),
    ),
  ];
}

const marks: Readonly<Record<ToolProof, string>> = { answered: '✓', not_supported: '–' };
