import { z } from 'zod';
import { defaultConfig } from '../default-config.ts';
import { effectiveValues } from '../effective-value.ts';
import { exampleValue } from './key-example.ts';
import { tableAt, userSchema } from './schema.ts';

/** Returns the JSON Schema of the user's file, for editors, in draft 7, which most of them support. */
export function configSchema(): Readonly<Record<string, unknown>> {
  const defaults = defaultsByKey();
  const { $schema, properties, ...rest } = z.toJSONSchema(userSchema, {
    target: 'draft-7',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // Our examples are TOML; JSON Schema wants values.
      if (jsonSchema.examples) jsonSchema.examples = jsonSchema.examples.map(asValue);
      const known = defaults.find(({ schema }) => schema === zodSchema);
      if (known) Object.assign(jsonSchema, { default: known.value });
    },
  });
  return {
    $schema,
    title: 'Configuration of lspan',
    ...rest,
    properties: {
      $schema: { type: 'string', description: 'Schema for editors.' },
      ...properties,
    },
  };
}

function defaultsByKey(): readonly { readonly schema: unknown; readonly value: unknown }[] {
  return effectiveValues(defaultConfig).map(({ key, value }) => {
    const [first = '', second] = key.split('.');
    const table = second === undefined ? tableAt([]) : tableAt([first]);
    return { schema: table?.[second ?? first], value };
  });
}

function asValue(example: unknown): unknown {
  return typeof example === 'string' ? exampleValue(example) : example;
}
