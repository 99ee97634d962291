import { expect, it } from 'vitest';
import { repositorySchema, tableAt } from '../../../src/config/schema/schema.ts';

const tables = [[], ['servers', 0], ['limits']].flatMap((place) => Object.entries(tableAt(place) ?? {}));

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
