import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderCatalogue } from '../../src/surfaces/render-catalogue.ts';
import type { Tool } from '../../src/tools/run/tool.ts';

function rendered(given: Partial<Tool>) {
  const tool: Tool = {
    name: 'a_tool',
    title: 'A tool',
    description: 'Does it.',
    toolset: 'navigation',
    listed: true,
    effects: 'none',
    input: z.strictObject({}),
    output: z.object({}),
    run: () => Promise.reject(new Error('not run')),
    ...given,
  };
  const identity = { name: 's', serverName: 's', instructions: 'i' };
  const [surface] = renderCatalogue([{ ...identity, tools: [tool], prompts: [], resources: false }]);
  return surface?.tools[0];
}

test('an input schema refuses unknown fields, and has nothing that is useless to an agent', () => {
  const input = z.object({ line: z.int().min(1).describe('1-based.'), count: z.int().optional() });
  expect(rendered({ input })?.inputSchema).toEqual({
    type: 'object',
    properties: {
      line: { type: 'integer', description: '1-based.' },
      count: { type: 'integer' },
    },
    required: ['line'],
    additionalProperties: false,
  });
});

test('an output schema holds for answers and for errors, with definitions where references look for them', () => {
  const node = z.object({
    name: z.string(),
    get children() {
      return z.array(node);
    },
  });
  const schema = rendered({ output: z.object({ symbols: z.array(node) }) })?.outputSchema;
  expect(schema).toMatchObject({
    type: 'object',
    anyOf: [
      { properties: { complete: {}, doubts: {}, symbols: {} }, required: ['complete', 'doubts', 'symbols'] },
      { required: ['error'] },
    ],
  });
  const [reference] = JSON.stringify(schema).match(/(?<="\$ref":"#\/\$defs\/)[^"]+/) ?? [];
  expect(schema?.$defs).toHaveProperty(reference ?? '?');
});

test.each([
  ['none', [true, false, true, false]],
  ['servers', [false, false, false, false]],
  ['files', [false, true, false, false]],
  ['as_given', [false, true, false, false]],
] as const)('the annotations of effects "%s" are true', (effects, hints) => {
  const { annotations } = rendered({ effects }) ?? {};
  expect(Object.values(annotations ?? {})).toEqual(hints);
});
