import { parse } from 'smol-toml';
import type { z } from 'zod';

/** How a configuration file is written. */
export type ExampleForm = 'toml' | 'json';

/** How a key is written in a file of this form, from the TOML that its schema holds. */
export function exampleOf(schema: z.ZodType | undefined, form: ExampleForm): string | undefined {
  const toml = tomlOf(schema);
  if (toml === undefined || form === 'toml') return toml;
  return Object.entries(parse(toml))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ');
}

/** The value in that example. */
export function exampleValue(toml: string): unknown {
  return Object.values(parse(toml))[0];
}

function tomlOf(schema: z.ZodType | undefined): string | undefined {
  const examples: unknown = schema?.meta()?.examples;
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}
