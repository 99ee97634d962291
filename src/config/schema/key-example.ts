import { parse } from 'smol-toml';
import type { z } from 'zod';

/** The syntax of a configuration file. */
export type ExampleForm = 'toml' | 'json';

/** Returns an example of a key in this syntax, converted from the TOML example in its schema. */
export function exampleOf(schema: z.ZodType | undefined, form: ExampleForm): string | undefined {
  const toml = tomlOf(schema);
  if (toml === undefined || form === 'toml') return toml;
  return Object.entries(parse(toml))
    .map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`)
    .join(', ');
}

/** Returns the value in a TOML example. */
export function exampleValue(toml: string): unknown {
  return Object.values(parse(toml))[0];
}

function tomlOf(schema: z.ZodType | undefined): string | undefined {
  const examples: unknown = schema?.meta()?.examples;
  const first: unknown = Array.isArray(examples) ? examples[0] : undefined;
  return typeof first === 'string' ? first : undefined;
}
