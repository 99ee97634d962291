import type { Outcome } from '../../../tools/run/tool.ts';
import { waitingLine } from '../../observe/terminal.ts';
import { openerOf } from '../opener.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { callOnce, formatOutcome } from './run-call.ts';

type UndoCommand = Extract<CommandLine, { readonly kind: 'undo' }>;

/** Runs `lspan undo`: undoes an edit and prints what was done; returns the exit code. */
export async function runUndo(
  { flags, edit }: UndoCommand,
  context: ProcessContext,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  const { bridge, roots, close, ...how } = await readSettings(
    flags,
    { surface: 'lspan', survivesFaults: false },
    context,
  );
  const settings = { roots, bridge: { ...bridge, environment: context.environment } };
  const { open } = openerOf('undo', context, how);
  // `check: false` starts no server: a shell user sees diagnostics elsewhere.
  const input = { ...(edit === undefined ? {} : { edit_id: edit }), dry_run: flags.dryRun, check: false };
  const answer = (outcome: Outcome) => write(formatOutcome(outcome, flags.json));
  const waiting = waitingLine(process.stderr, context.environment, 'undoing');
  return await callOnce(open, settings, { tool: 'undo_edit', input, answer, waiting }).finally(close);
}
