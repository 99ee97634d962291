import type { Reply } from '../../../core/backend.ts';
import type { Call } from '../../../core/call.ts';
import type { Doubt } from '../../../core/doubts.ts';
import { mergeFileProblems } from '../../../core/merge-problems.ts';
import type { FileProblems } from '../../../core/problems.ts';
import { groupBy } from '../../../core/runtime/group-by.ts';
import { unsavedImportDoubts } from '../doubts/unsaved-imports.ts';
import { restartedDoubt } from '../errors/server-errors.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import type { Session } from '../session/session.ts';
import { spokenOf } from './ask-diagnostics.ts';
import type { DiagnosticsContext } from './file-diagnostics.ts';
import { canSurvey, pullWorkspace } from './pull-workspace.ts';

/** Result of asking one server about the whole workspace. */
export interface ServerWorkspaceDiagnostics {
  readonly slot: ServerSlot;
  /** `whole`: reported all files it serves. `partly`: did not finish. `unable`: lacks the capability. */
  readonly extent: 'whole' | 'partly' | 'unable';
  readonly files: ReadonlyMap<string, FileProblems>;
  /** Files that it was to check and has not. */
  readonly left?: readonly string[];
  /** Files that belong to no project. */
  readonly outside?: number;
}

/** Asks a server about the whole workspace if it supports that; otherwise only lets it load. */
export async function serverWorkspaceDiagnostics(
  { workspace }: DiagnosticsContext,
  slot: ServerSlot,
  call: Call,
): Promise<Reply<ServerWorkspaceDiagnostics>> {
  const work = (session: Session, inner: Call) => survey(session, workspace, inner);
  const { value, restarted } = await slot.useWithin('diagnostics', call, work);
  const standing = slot.session?.doubtsAbout('diagnostics') ?? [];
  const beside = await unsavedImportDoubts(slot, workspace, call);
  const again = restarted ? [restartedDoubt(slot.definition, restarted)] : [];
  // As with single files, such a server may miss problems.
  const unknowing = restarted || slot.session?.readiness.trouble !== undefined;
  const files = unknowing
    ? new Map([...value.files].map(([path, file]) => [path, doubted(file, slot)]))
    : value.files;
  return {
    answer: { slot, extent: value.extent, files },
    doubts: [...value.doubts, ...standing, ...beside, ...again],
  };
}

function doubted(file: FileProblems, { definition: { id } }: ServerSlot): FileProblems {
  return file.problems.length > 0 ? file : { ...file, state: 'pending', unheard: [id] };
}

type Found = Omit<ServerWorkspaceDiagnostics, 'slot'> & { readonly doubts: readonly Doubt[] };

async function survey(
  session: Session,
  workspace: DiagnosticsContext['workspace'],
  call: Call,
): Promise<Found> {
  await session.documents.sync([]);
  // Waiting would be in vain: the server loads nothing before a file is open.
  const hasNothing =
    session.definition.projects?.loadsOnOpen === true && session.documents.paths.length === 0;
  const doubts = hasNothing ? [] : await session.ready(call);
  if (hasNothing || !(await canSurvey(session, call))) return { extent: 'unable', files: new Map(), doubts };
  const { reports, passedOver, finished } = await pullWorkspace(session, workspace, call);
  // A later part may withdraw partial results.
  const state = doubts.length === 0 && finished ? 'fresh' : 'pending';
  const told = [...reports].map(([path, items]) => readReport(session, workspace, path, items, state));
  const old = passedOver.map(({ path, items }) => readReport(session, workspace, path, items, 'stale'));
  const spoken = groupBy(await Promise.all([...told, ...old]), ({ path }) => path);
  const merged = await Promise.all([...spoken].map(([path, same]) => mergeFileProblems(path, same)));
  const files = new Map(merged.map((file) => [file.path, file]));
  return { extent: finished ? 'whole' : 'partly', files, doubts };
}

/** Reads a report; needs the text only if there are problems. A gone or unreadable file counts as unheard. */
async function readReport(
  session: Session,
  { read }: DiagnosticsContext['workspace'],
  path: string,
  items: readonly unknown[],
  state: FileProblems['state'],
): Promise<FileProblems> {
  const unheard = state === 'fresh' ? [] : [session.definition.id];
  if (items.length === 0) return { path, state, problems: [], unheard };
  const spoken = read(path).then((document) => spokenOf(session, document, items, state));
  return spoken.catch(() => ({ path, state: 'pending', problems: [], unheard: [session.definition.id] }));
}
