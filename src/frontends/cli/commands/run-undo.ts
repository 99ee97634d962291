import type { Outcome } from '../../../tools/run/tool.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { callOnce, formatOutcome } from './run-call.ts';

type Undoing = Extract<CommandLine, { readonly kind: 'undo' }>;

/** Takes an edit back and prints what was done; returns the exit code. */
export async function runUndo(
  { flags, edit }: Undoing,
  around: ProcessContext,
  tell: (text: string) => Promise<void> = print,
): Promise<number> {
  const { bridge, roots, close } = await readSettings(
    flags,
    { surface: 'lspan', survivesFaults: false },
    around,
  );
  const prepared = { roots, bridge: { ...bridge, environment: around.environment } };
  const { openBridge: open } = await import('../../../bridge.ts');
  // No server is started for it: whoever sits at a shell sees the problems elsewhere.
  const input = { ...(edit === undefined ? {} : { edit_id: edit }), dry_run: flags.dryRun, check: false };
  const answer = (outcome: Outcome) => tell(formatOutcome(outcome, flags.json));
  return await callOnce(open, prepared, { tool: 'undo_edit', input, answer }).finally(close);
}
