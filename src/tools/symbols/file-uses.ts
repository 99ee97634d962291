import type { Reply } from '../../core/backend.ts';
import type { Call } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { groupInSlices } from '../../core/runtime/slices.ts';
import { unsearchedUseDoubts } from '../navigation/build-hierarchy.ts';
import { findUses } from '../navigation/find-uses.ts';
import type { ToolContext } from '../run/tool.ts';
import { orderManySpans, toLocations } from '../show/location.ts';
import type { Located } from '../target/target-fields.ts';
import type { UsedFile } from './inspection.ts';

/** The uses of a symbol by file. */
export interface FileUses {
  readonly listed: readonly UsedFile[];
  readonly files: number;
  readonly total: number;
}

/** Finds every use of a symbol, with the first lines of each file; adds a doubt for files that no server searches. */
export async function fileUses(context: ToolContext, located: Located, call: Call): Promise<Reply<FileUses>> {
  const { answer, doubts } = await findUses(context, located, call);
  const { place, name } = located;
  const unseen =
    name === undefined ? [] : await unsearchedUseDoubts(context, { place, name, references: answer }, call);
  const spans = await orderManySpans(answer);
  const files = [...(await groupInSlices(spans, ({ path }) => path)).values()];
  const shown = files.slice(0, limits.inspect.files).map((own) => own.slice(0, limits.inspect.linesOfFile));
  const lines = await toLocations(context, shown.flat(), call);
  const byFile = groupBy(lines, ({ file_path }) => file_path);
  const listed = [...byFile].map(([file_path, own], index) => ({
    file_path,
    count: files[index]?.length ?? own.length,
    lines: own,
  }));
  return {
    answer: { listed, files: files.length, total: spans.length },
    doubts: [...doubts, ...unseen],
  };
}
