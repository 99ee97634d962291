import type { Doubt } from '../../../core/doubts.ts';
import type { Trust } from '../../../core/trust.ts';
import { nameSome } from '../../../core/wording/name-some.ts';
import type { ProjectFacts, ServerDefinition, Service } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { partlyBlockedByTrust, reportsTrouble } from '../errors/server-errors.ts';

/** Facts about a running server that its doubts depend on. */
interface RunningServer {
  readonly definition: ServerDefinition;
  readonly root: string;
  readonly folders: readonly string[];
  /** Its commands. */
  readonly commands: readonly unknown[];
  readonly facts: ProjectFacts;
  readonly workspace: Workspace;
  readonly trusts: (root: string, definition: ServerDefinition) => Trust;
  /** What it leaves out because the root is not trusted, as a sentence. */
  readonly withheld?: string | undefined;
}

/** Returns why searches or checks of a running server may be incomplete, and the trouble it reports. */
export function runningDoubts(
  parts: RunningServer,
  trouble: string | undefined,
  service: Service,
): readonly Doubt[] {
  const { definition, facts, root, trusts } = parts;
  const own = (definition.doubts?.(facts, service) ?? []).map((doubt) =>
    doubt.kind === 'not_trusted'
      ? { ...doubt, ...partlyBlockedByTrust(definition, doubt.detail, trusts(root, definition)) }
      : { ...doubt, server: definition.id },
  );
  const withheld = parts.withheld === undefined || textOnly.has(service) ? [] : [parts.withheld];
  const less = withheld.map((what) => partlyBlockedByTrust(definition, what, trusts(root, definition)));
  const told = trouble === undefined ? [] : [reportsTrouble(definition, trouble)];
  const missing = [...told, ...separateFolders(parts, service), ...mixedFolders(parts, service)];
  return [
    ...own,
    ...copyDoubts(definition),
    ...oldAnswers(definition),
    ...less,
    ...(named.has(service) ? missing.map(onlyOfMentions) : missing),
    ...cut(parts, service),
    ...unfitFiles(parts, service),
  ];
}

/** Returns the doubt about every answer of a server that reads copies elsewhere: they may be older than the files here. */
export function copyDoubts({ id, far }: ServerDefinition): readonly Doubt[] {
  if (!far || far.isShared) return [];
  const detail = `${id} runs elsewhere on copies of the files: what changed here since they were made may be missing.`;
  return [{ kind: 'watch_lost', server: id, detail, lasting: true }];
}

/** Returns the doubt about a server that reads an index: it does not say how old that is. */
export function oldAnswers({ id, isStatic }: ServerDefinition): readonly Doubt[] {
  if (!isStatic) return [];
  const detail = `${id} answers from an index: files that changed since it was made may say something else.`;
  return [{ kind: 'as_of', server: id, detail, lasting: true }];
}

/** Services that search for a name: what a server misses is a mention of it that is not explained. */
const named: ReadonlySet<Service> = new Set(['references', 'rename', 'calls']);

function onlyOfMentions(doubt: Doubt): Doubt {
  return { ...doubt, aboutMentions: true };
}

/** Services that depend on the text of a file alone, however it is compiled. */
const textOnly: ReadonlySet<Service> = new Set(['outline', 'format']);

/** Services that are correct only if all uses were found. */
const searching: ReadonlySet<Service> = new Set([
  'references',
  'rename',
  'implementations',
  'calls',
  'types',
]);

function separateFolders({ definition, folders }: RunningServer, service: Service): readonly Doubt[] {
  const detail = definition.projects?.workspaceFolders?.doubtIfSeveral;
  if (detail === undefined || folders.length < 2 || !searching.has(service)) return [];
  return [{ kind: 'project_not_loaded', server: definition.id, detail }];
}

/** Returns whether an empty list of problems proves nothing: the server may mean another of its folders. */
export function mixesFolders({
  definition,
  folders,
  commands,
}: Pick<RunningServer, 'definition' | 'folders' | 'commands'>): boolean {
  const { mixesFolders: mixed } = definition.diagnostics ?? {};
  return mixed !== undefined && folders.length > 1 && !commands.includes(mixed.unlessCommand);
}

function mixedFolders(server: RunningServer, service: Service): readonly Doubt[] {
  const { id, diagnostics } = server.definition;
  const detail = diagnostics?.mixesFolders?.doubt;
  if (service !== 'diagnostics' || detail === undefined || !mixesFolders(server)) return [];
  return [{ kind: 'project_not_loaded', server: id, detail, lasting: true }];
}

/** A capped search is complete if the server does not serve more files than the cap. */
function cut({ definition, workspace }: RunningServer, service: Service): readonly Doubt[] {
  const { id, search: { fileCap } = {} } = definition;
  if (fileCap === undefined || !searching.has(service)) return [];
  let served = 0;
  for (const path of workspace.files()) if (languageOf(path, definition) !== undefined) served += 1;
  const doubt = { kind: 'capped', server: id } as const;
  if (served > fileCap.read) {
    const detail = `${id} reads at most ${fileCap.read} files in a search for a name: search the text too.`;
    return [{ ...doubt, detail }];
  }
  if (served <= fileCap.mentioning) return [];
  const detail = `${id} searches at most ${fileCap.mentioning} of the files that mention a name: search the text too.`;
  return [{ ...doubt, detail, aboveMentions: fileCap.mentioning }];
}

/** A file that is too large to be read is not searched, and may take the server down with it. */
function unfitFiles({ definition, workspace }: RunningServer, service: Service): readonly Doubt[] {
  if (textOnly.has(service)) return [];
  const own = [...workspace.unfitFiles()].filter(([path]) => languageOf(path, definition) !== undefined);
  if (own.length === 0) return [];
  const { id } = definition;
  const names = own.map(([path, what]) => `${workspace.show(path)} (${what})`);
  const detail = `Not searched, and ${id} may fail on it: ${nameSome(names)}.`;
  return [{ kind: 'server_unavailable', server: id, detail, lasting: true }];
}
