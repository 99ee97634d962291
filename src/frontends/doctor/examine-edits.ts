import type { BridgeSettings } from '../../bridge-settings.ts';
import { LspanError } from '../../core/errors.ts';
import { shellWord } from '../../core/wording/shell-words.ts';
import type { listInterruptedEdits } from '../../offline.ts';
import { hideHome } from '../../platform/files/hide-home.ts';
import type { DoctorReport, Finding } from './report.ts';

type Interrupted = Awaited<ReturnType<typeof listInterruptedEdits>>;

/** The journal of edits, with what was found and repaired. */
export interface ExaminedEdits {
  readonly edits: DoctorReport['system']['edits'];
  readonly findings: readonly Finding[];
  readonly fixed: readonly string[];
}

/** Looks at the edits of a workspace; with `fix`, undoes or completes those that a process left half done. */
export async function examineEdits(
  settings: Omit<BridgeSettings, 'surface'>,
  fix: boolean,
): Promise<ExaminedEdits> {
  const { listEdits, listInterruptedEdits, recoverEdits } = await import('../../offline.ts');
  const before = await listInterruptedEdits(settings).catch(asRefusal);
  if (before instanceof LspanError)
    return { edits: { undoable: 0, interrupted: [] }, findings: [unreadable(before)], fixed: [] };
  const isFixed = fix && before.edits.length > 0;
  const recovery = isFixed ? await recoverEdits(settings) : undefined;
  const interrupted = isFixed ? await listInterruptedEdits(settings) : before;
  const past = await listEdits(settings);
  const undoable = past.filter(({ undoneBy, undoes }) => undoneBy === undefined && undoes === undefined);
  return {
    edits: { undoable: undoable.length, interrupted: interrupted.edits.map(({ id }) => id) },
    findings: [
      ...judgeEdits(interrupted, undoable.length),
      ...(recovery?.conflicts ?? []).map(judgeConflict),
    ],
    fixed: [
      ...(recovery?.undone ?? []).map((id) => `undid the interrupted edit ${id}`),
      ...(recovery?.completed ?? []).map((id) => `completed the interrupted edit ${id}`),
    ],
  };
}

/** Returns the error that the journal may not be read; rethrows any other. */
function asRefusal(thrown: unknown): LspanError {
  if (thrown instanceof LspanError && thrown.code === 'refused') return thrown;
  throw thrown;
}

function unreadable({ message, nextStep }: LspanError): Finding {
  return { ...base, level: 'error', text: message, ...(nextStep && { next_step: nextStep }) };
}

const base = { area: 'edits', subject: 'edits' } as const;

/** Judges the journal: an edit that was left half done blocks every other. */
export function judgeEdits({ edits, unreadable }: Interrupted, undoable: number): readonly Finding[] {
  const broken = unreadable.map((file): Finding => {
    const text = `the journal of an interrupted edit cannot be read: ${hideHome(file)}`;
    const next_step = `mv ${shellWord(file)} ${shellWord(`${file}.broken`)}`;
    const details = ['Compare the workspace with version control first: the edit may be half done.'];
    return { ...base, level: 'error', text, details, next_step };
  });
  const halfDone = edits.map(({ id, title, at }): Finding => {
    const when = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
    const text = `"${title}" of ${when} was interrupted and is half done (${id})`;
    return { ...base, level: 'error', text, next_step: 'lspan doctor --fix' };
  });
  const found = [...broken, ...halfDone];
  if (found.length > 0) return found;
  const text = `none is interrupted, ${undoable === 0 ? 'none' : undoable} can be undone`;
  return [{ ...base, level: 'ok', text }];
}

/** What `--fix` could not end: another program has changed the files since. */
function judgeConflict(message: string): Finding {
  return { ...base, level: 'error', text: message, next_step: 'git status' };
}
