import type {
  ProgramSource,
  ProjectFacts,
  ReadySignal,
  ServerDefinition,
  Service,
} from '../../src/servers/definition.ts';
import { noFacts } from '../project-facts.ts';
import type { Proof } from './proven-services.ts';

/** What the page tells of a server beside its definition. */
export interface ServerFacts {
  readonly definition: ServerDefinition;
  readonly proof: Proof | undefined;
  /** The comment above its definition. */
  readonly note: string;
}

/** The page about all servers, as Markdown; `ships` are the packages that lspan brings along. */
export function renderServersPage(servers: readonly ServerFacts[], ships: ReadonlySet<string>): string {
  const sorted = [...servers].sort((a, b) => (a.definition.id < b.definition.id ? -1 : 1));
  const proofs = sorted.flatMap(({ proof }) => proof ?? []);
  const languages = new Set(proofs.flatMap((proof) => [...proof.languages]));
  return [
    '# Language servers',
    '',
    `lspan knows ${sorted.length} language servers. ${proofs.length} of them, for ${languages.size} languages, are proven: a scenario in`,
    '`test/scenarios` asks the real server and pins its answers. The others are written from their documentation.',
    'This page is made from the definitions in `src/servers` and from those scenarios;',
    '`UPDATE_GOLDEN=1 npx vitest run test/servers-page` writes it anew.',
    '',
    'A server that needs trust is not started in a repository that the user has not trusted, because it would run',
    'what the repository holds; one that needs it in part is started, and leaves that out. Of servers with the same',
    '**job**, the installed one of the highest rank answers.',
    '',
    '| Server | Languages | Proven | Needs trust | Writes into the tree | Job, rank |',
    '|---|---|---|---|---|---|',
    ...sorted.map(row),
    '',
    '## Each server',
    '',
    ...sorted.flatMap((server) => section(server, ships)),
  ].join('\n');
}

/** How the pages call each service. */
export const serviceWords: Readonly<Record<Service, string>> = {
  definition: 'definition',
  references: 'references',
  hover: 'hover',
  outline: 'document symbols',
  symbols: 'workspace symbols',
  diagnostics: 'problems',
  rename: 'rename',
  moves: 'moves of files',
  actions: 'code actions',
  format: 'formatting',
  declaration: 'declaration',
  type: 'type definition',
  implementations: 'implementations',
  calls: 'call hierarchy',
  types: 'type hierarchy',
  completions: 'completion',
  signatures: 'signature help',
  hints: 'inlay hints',
};

function row({ definition, proof }: ServerFacts): string {
  const { id, extensions, files, group, rank = 0 } = definition;
  const shown = Object.entries(serviceWords).flatMap(([service, word]) =>
    has(proof?.services, service) ? [word] : [],
  );
  const cells = [
    `[${id}](#${id})`,
    [...new Set(Object.values(extensions))].join(', '),
    shown.join(', ') || 'untested',
    trustOf(definition),
    (files?.writes ?? []).join(', '),
    group === undefined ? '' : `${group}, ${rank}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function has(services: ReadonlySet<string> | undefined, service: string): boolean {
  return services?.has(service) === true;
}

/** A server without trust may be asked all the same, and leaves out what it would have to run for. */
export function trustOf({ trust: { runs, answersWithout, boundTo } = {} }: ServerDefinition): string {
  if (runs !== undefined && answersWithout === undefined) return 'yes';
  return runs !== undefined || boundTo !== undefined ? 'in part' : '';
}

function section({ definition, note }: ServerFacts, ships: ReadonlySet<string>): readonly string[] {
  const { id, extensions, trust, program, install } = definition;
  return [
    `### ${id}`,
    '',
    note,
    '',
    `- Files: ${Object.keys(extensions).map(fileName).map(code).join(', ')}`,
    `- Found: ${program.sources.map((source) => place(source, ships)).join(', then ')}`,
    `- ${install}`,
    `- Ready: ${readiness(definition)}`,
    ...(trust?.runs === undefined ? [] : [`- It would run ${trust.runs} of the repository.`]),
    '',
  ];
}

/** How it is known that the server has loaded the project. */
function readiness({ ready, sync }: ServerDefinition): string {
  const signal = signalWords(typeof ready === 'function' ? ready(anyRoot) : ready);
  return sync?.publishesWhenRead === true
    ? `${signal}; and the problems of every text that it was sent.`
    : `${signal}.`;
}

function signalWords(signal: ReadySignal): string {
  if (signal.kind === 'immediate') return 'from the handshake on';
  if (signal.kind === 'unknown')
    return 'it does not tell; an empty answer is asked again and is then doubtful';
  if (signal.kind === 'registration') return 'when it registers for changes';
  if (signal.kind === 'log') return `a log message ${code(signal.message.source)}`;
  if (signal.kind === 'notification') return `its notification ${code(signal.method)}`;
  if (signal.kind === 'request') return `asked by ${code(signal.method)} after every change`;
  const or = [
    signal.orPublication ? 'its first problems' : '',
    signal.orSilence ? 'at once where it says nothing' : '',
  ];
  return [`the end of the progress ${code(signal.title.source)}`, ...or]
    .filter((part) => part !== '')
    .join(', or ');
}

/** A root in which everything is that a definition may look for. */
const anyRoot: ProjectFacts = {
  ...noFacts,
  root: '/',
  exists: () => true,
  cache: () => '',
  temporary: () => '',
};

/** Keys of a definition that begin with a capital or a dot, or hold a dot, are names of files. */
function fileName(key: string): string {
  return /^[A-Z.]|\./.test(key) ? key : `*.${key}`;
}

function place(source: ProgramSource, ships: ReadonlySet<string>): string {
  if (source.kind === 'path') return `${code(source.name)} in PATH`;
  if (source.kind === 'command') return 'as configured';
  if (source.kind === 'home') return `${code(`${source.folder}/${source.name}`)} in the home folder`;
  const bringsIt = ships.has(source.via ?? source.name);
  return bringsIt ? 'it ships with lspan' : `the npm package ${code(source.name)} beside lspan`;
}

function code(text: string): string {
  return `\`${text}\``;
}
