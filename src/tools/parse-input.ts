import { z } from 'zod';
import { LspanError } from '../core/errors.ts';

/** Reads a tool's input strictly: unknown fields and wrong types are errors that name the field and the fix. */
export function parseInput<I extends z.ZodType>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => explain(issue));
  throw new LspanError('invalid_input', problems.join(' '), {
    nextStep: `The fields are: ${fieldsOf(schema).join(', ')}.`,
  });
}

function explain(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return `Unknown field: ${issue.keys.map(quote).join(', ')}.`;
  if (issue.code === 'invalid_value') return `${quote(field)}: one of ${issue.values.join(', ')}.`;
  const what = issue.message.replace(/^Invalid \w+: /, '');
  return field ? `${quote(field)}: ${what}.` : `${what}.`;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, 80));
}

function fieldsOf(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}
