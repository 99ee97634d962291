import { expect, it } from 'vitest';
import { keysAt, repositorySchema } from '../../src/config/schema.ts';

const tables = [keysAt([]), keysAt(['servers', 0])].flatMap((table) => Object.entries(table));

it.each(tables)('the key %s says what it is for and how it is written', (key, schema) => {
  const { description, examples } = schema.meta() ?? {};
  expect(description).toMatch(/\.$/);
  expect(examples).toEqual([expect.stringContaining(key)]);
});

it('SUP-02 the keys that a repository may set are these and no others', () => {
  expect(Object.keys(repositorySchema.shape)).toEqual([
    'exclude',
    'max_tokens',
    'deadline_s',
    'disabled_servers',
  ]);
});
