import { renderChange } from '../change/render-change.ts';
import { plural } from '../show/render-locations.ts';
import type { Batch, BatchResult } from './batch-execute.ts';

/** How a batch was meant. */
export interface BatchKind {
  readonly atomic: boolean;
  readonly dry_run: boolean;
}

/** A batch as text, with the texts of its operations in their order: what came of the whole, the one change if it is one, then what came of each operation. */
export function renderBatch(batch: Batch, texts: readonly string[], kind: BatchKind): string {
  const { results, plan, edit, cut = [] } = batch;
  const joint = (plan ?? edit) ? [renderChange(batch)] : [];
  const blocks = results.map((one, index) => blockOf(one, texts[index] ?? ''));
  const shortened = cut.length === 0 ? [] : [`Shortened to fit: ${cut.map(quote).join(', ')}. ${alone}`];
  return [headOf(batch, kind), ...joint, ...blocks, ...shortened].join('\n');
}

function headOf({ done, failed, skipped, results, plan, edit, unwritten }: Batch, kind: BatchKind): string {
  const told = [`${done} done`, `${failed} failed`, `${skipped} skipped`];
  const counts = `${plural('operation', results.length)}: ${told.join(', ')}.`;
  if (unwritten) return `${counts} Nothing was written: the batch is atomic, and not all of it can be done.`;
  if (kind.atomic) return plan || edit ? counts : `${counts} Nothing has to change.`;
  const isPreviewed = kind.dry_run && results.some(({ data }) => data && 'plan' in data);
  return isPreviewed ? `${counts} ${eachAlone}` : counts;
}

const eachAlone =
  'Each change is previewed on the disk as it is, not on what the ones before it would leave: `atomic: true` joins them.';

const alone = 'Call such a tool alone, or raise max_tokens.';

function quote(id: string): string {
  return JSON.stringify(id);
}

/** Set in, so that no text of a file can pass for the head of another block. */
function blockOf({ id, tool, ok, skipped }: BatchResult, text: string): string {
  const state = skipped === undefined ? (ok ? 'ok' : 'failed') : `skipped, since ${skipped}`;
  const head = `${quote(id)} ${tool}: ${state}`;
  return text === '' ? head : [head, ...text.split('\n').map((line) => `  ${line}`)].join('\n');
}
