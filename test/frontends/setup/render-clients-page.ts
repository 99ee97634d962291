import type { AgentClient } from '../../../src/frontends/setup/clients/client.ts';
import {
  type Machine,
  type MachinePlace,
  placesOnSystem,
  resolvePlace,
} from '../../../src/frontends/setup/clients/place.ts';

const systems: readonly (Machine & { readonly name: string })[] = [
  { name: 'Linux', platform: 'linux', environment: {}, home: '~' },
  { name: 'macOS', platform: 'darwin', environment: {}, home: '~' },
  { name: 'Windows', platform: 'win32', environment: { APPDATA: 'C:\\%APPDATA%' }, home: '~' },
];

/** Renders docs/clients.md from the table of clients and the golden files of their entries. */
export function renderClientsPage(clients: readonly AgentClient[], entryOf: (id: string) => string): string {
  return `${[head(clients.length), ...clients.map((client) => section(client, entryOf(client.id)))].join('\n')}`;
}

function head(count: number): string {
  return `# Clients

\`lspan setup\` puts lspan into the configuration of an agent. It finds the agents on this machine, shows each change as a
diff, asks, and writes it; every other byte of the file stays, comments and line ends included. It knows ${count} clients.

\`\`\`sh
lspan setup                          # all agents that are found here
lspan setup claude-code --dry-run    # show only
lspan setup codex --scope project    # for this project instead of all of yours
lspan setup --rules                  # also write when to use lspan, into the instructions of the agent
lspan setup --no-hooks               # without what tells the agent what its edits broke
lspan setup --via "ssh host" --workspace project # the code is elsewhere
lspan setup --remove                 # take it all back
lspan setup --list                   # what is known, found and set up
lspan setup --allow-list claude-code # the tool names for lists of allowed tools
\`\`\`

- Without a terminal it writes only with \`--yes\`. A second run says that nothing is left to do.
- **What is started.** \`lspan mcp\` if the command \`lspan\` on your PATH is the one that runs; by absolute paths for programs
  that may be started without the PATH of your shell, and if no \`lspan\` is on it; by \`npx\` if that started it. The output
  says which and why. Files of a project, which other machines read too, have no paths if that is possible.
- **An entry that is there** keeps all keys of yours (\`env\`, timeouts) and your flags after \`mcp\`; only what is started is
  corrected. An entry that connects to an address is refused.
- **Hooks.** Where a client can be told after each edit [what the edit broke](hooks.md), what does it is part of the same
  diff; \`--no-hooks\` leaves it out, or takes it out again. The entry then has \`--after-edit\`; and \`--daemon\` where the hook
  is a command, which asks the daemon. Hooks of yours stay, also in the same lists, and so does what you change in lspan's.
- **\`--remove\`** restores the bytes from before, and removes files and folders that it made. If somebody has changed the file
  since, only the entry is taken out. Notes for this are in the folder \`setup\` of the
  [state folder](configuration.md#environment); they contain nothing of your files but lspan's own entry.
- **Left alone, with the reason, line and column:** a file that is malformed, not UTF-8, a link to nothing, not a regular
  file, of another owner, or has a second hard link; a file of a project that leads out of it. A link is followed, and stays
  a link. A file that changes while you read the diff is not written.
- Variables such as \`XDG_CONFIG_HOME\`, \`APPDATA\` and those named below move the files, as they do for the agents.

This page is made from the table in \`src/frontends/setup/clients\`: \`UPDATE_GOLDEN=1 npx vitest run test/frontends/setup\`.
Of these, Claude Code, Codex, Gemini CLI and opencode were run with what \`lspan setup\` wrote; of the others, files and
forms are those that their documents, or programs that configure them, name.
`;
}

function section(client: AgentClient, entry: string): string {
  const { title, id, aliases = [], check, notes = [], rules, hooks, project = [], toolName } = client;
  const names = [id, ...aliases].map(code).join(', ');
  const rulesFiles = [
    rules?.user && `${paths([rules.user])} (user)`,
    rules?.project && `${code(rules.project)} (project)`,
  ];
  const told = rulesFiles.filter((one) => one !== undefined);
  const rows = [
    ['Name', names],
    ['Scope `user`', paths(client.user)],
    ['Scope `project`', project.length === 0 ? 'none' : project.map(code).join(', else ')],
    ['Instructions (`--rules`)', told.length === 0 ? 'none known' : told.join(', ')],
    ['Hooks', hooks ? `${paths([hooks.user])} (user), ${code(hooks.project)} (project)` : 'none known'],
    ['Tool names', code((toolName ?? '*').replace('*', 'find_references'))],
    ['To check', check],
  ];
  const table = ['| | |', '|---|---|', ...rows.map(([left, right]) => `| ${left} | ${right} |`)];
  const all = [...notes, ...(hooks?.note ? [hooks.note] : [])];
  const bullets = all.length === 0 ? [] : ['', ...all.map((note) => `- ${note}`)];
  const kind = client.format === 'json' ? 'json' : client.format;
  return ['', `## ${title}`, '', ...table, ...bullets, '', `\`\`\`${kind}`, `${entry.trimEnd()}`, '```', '']
    .join('\n')
    .slice(1);
}

/** The paths of the systems; once if they are all the same. */
function paths(places: readonly MachinePlace[]): string {
  const each = systems.map((system) => {
    const own = placesOnSystem(places, system).map((place) => resolved(place, system));
    return { name: system.name, files: own.join(', else ') };
  });
  const [first] = each;
  const isSame = each.every(({ files }) => files === first?.files);
  const told = isSame ? (first?.files ?? '') : each.map(({ name, files }) => `${files} (${name})`).join('; ');
  const [name] = places.flatMap(({ variable }) => variable ?? []);
  return name === undefined ? told : `${told}; moved by ${code(name)}`;
}

function resolved(place: MachinePlace, system: Machine): string {
  return code(resolvePlace(place, system).replace('C:\\', '').replaceAll('\\', '/'));
}

function code(text: string): string {
  return `\`${text}\``;
}
