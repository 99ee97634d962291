import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';

/** Reads a tool's input strictly: unknown fields and wrong types are errors that name the field and the fix. */
export function parseInput<I extends z.ZodType>(schema: I, given: unknown): z.output<I> {
  const parsed = schema.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  throw new LspanError('invalid_input', faultsIn(parsed.error), {
    nextStep: `The fields are: ${fieldsOf(schema).join(', ')}.`,
  });
}

/** What is wrong with an input, as sentences; nothing where it is right. */
export function faultsOf(schema: z.ZodType, given: unknown): string | undefined {
  const parsed = schema.safeParse(given ?? {});
  return parsed.success ? undefined : faultsIn(parsed.error);
}

function faultsIn({ issues }: z.core.$ZodError): string {
  return issues.map((issue) => explain(issue)).join(' ');
}

function explain(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => quote([...issue.path, key].join('.')));
    return `Unknown field: ${names.join(', ')}.`;
  }
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
