import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { catalogue } from '../../src/surfaces/catalogue.ts';

const folder = path.resolve(import.meta.dirname, '../../schemas');

/** What the files hold, by their paths; `npm run schemas` writes them. */
const rendered: ReadonlyMap<string, string> = new Map(
  catalogue.flatMap(({ name: surface, tools }) =>
    tools.flatMap(({ name, inputSchema, outputSchema }) => [
      [`${surface}/${name}.input.json`, fileOf(`Input of ${name}`, inputSchema)],
      [`${surface}/${name}.output.json`, fileOf(`Output of ${name}`, outputSchema)],
    ]),
  ),
);

function fileOf(title: string, schema: object): string {
  const head = { $schema: 'https://json-schema.org/draft/2020-12/schema', title };
  return `${JSON.stringify({ ...head, ...schema }, null, 2)}\n`;
}

if (process.env.UPDATE_GOLDEN === '1') {
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of rendered) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
}

it('SUP-13 schemas/ has a file for the input and the output of every tool of every surface, and no other', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.json')).map((name) => name.replaceAll(path.sep, '/'));
  expect(files.sort()).toEqual([...rendered.keys()].sort());
});

it('SUP-13 each of them is the schema that a client is told', () => {
  for (const [file, text] of rendered) {
    const place = path.join(folder, file);
    expect(existsSync(place) ? readFileSync(place, 'utf8') : undefined, file).toBe(text);
  }
});
