import { z } from 'zod';
import { asLspanError, LspanError } from '../core/errors.ts';
import { list, object } from '../core/runtime/json.ts';
import { batchExecute } from '../tools/batch/batch-execute.ts';
import { operations } from '../tools/batch/batch-operations.ts';
import { maxTokens } from '../tools/run/paging-fields.ts';
import { readCall } from '../tools/run/read-call.ts';
import { fail } from '../tools/run/render-error.ts';
import type { Outcome, Tool } from '../tools/run/tool.ts';
import { renderCodeflowError } from './codeflow-errors.ts';

const input = z.strictObject({
  operations,
  parallel: z.boolean().optional().describe('Default true, unless atomic'),
  atomic: z.boolean().default(false),
  stop_on_error: z.boolean().default(false),
  dry_run: z.boolean().default(false).describe('Only preview'),
  check: z.boolean().default(true),
  max_tokens: maxTokens,
});

const result = z.object({
  id: z.string(),
  tool: z.string(),
  success: z.boolean(),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
});

/** Makes the tool that runs several tools of codeflow: each operation succeeds or fails by itself. */
export function codeflowBatch(tools: readonly Tool[]): Tool {
  const batch = batchExecute(tools);
  return {
    ...batch,
    title: 'Batch operations',
    listed: true,
    description:
      'Run up to 50 operations in one call; each has success and result, or error. `atomic` applies all changes or none',
    input,
    output: z.object({ results: z.array(result) }),
    async run(context, given, options) {
      const read = await Promise.resolve(given)
        .then((raw) => readCall(input, raw).input)
        .catch(asLspanError);
      if (read instanceof LspanError) return renderFailure(fail(read));
      const ours = { parallel: !read?.atomic, ...read };
      const outcome = await batch.run(context, ours, { ...options, shown: 'data' });
      return outcome.isError ? renderFailure(outcome) : toCodeflow(outcome);
    },
  };
}

function renderFailure(failure: Outcome): Outcome {
  const { error } = failure;
  return { ...renderCodeflowError(failure), isError: true, ...(error ? { error } : {}) };
}

function toCodeflow({ data }: Outcome): Outcome {
  const shown = { ...data, results: list(data.results).map(toResult) };
  return { text: JSON.stringify(shown), data: shown, isError: false };
}

/** Renders one operation as `{success, result}` or `{success, error}`; an error keeps its code and its candidates. */
function toResult(one: unknown): object {
  const { id, tool, ok, data, error, skipped } = object(one);
  if (ok === true) return { id, tool, success: true, result: data };
  if (skipped !== undefined) return { id, tool, success: false, error: `Not run, since ${skipped}.` };
  const { message, ...details } = object(error);
  return { id, tool, success: false, error: String(message), details };
}
