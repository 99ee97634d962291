import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { catalogue } from '../../src/surfaces/catalogue.ts';
import { renderCalls } from './render-calls.ts';
import { comment, renderFields, type Schema } from './render-type.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'src/library/from-schemas');
const tools = catalogue.find(({ name }) => name === 'lspan')?.tools ?? [];
const head = '// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts\n';

/** Content by file name. */
const rendered: ReadonlyMap<string, string> = new Map(
  [...renderCalls(tools), ['config-file.ts', configFile()] as const].map(([file, text]) => [
    file,
    head + text,
  ]),
);

function configFile(): string {
  const schema: Schema = JSON.parse(readFileSync(path.join(root, 'docs/config.schema.json'), 'utf8'));
  // `$schema` is for editors and only occurs in files.
  const { $schema, ...properties } = schema.properties ?? {};
  const fields = renderFields({ ...schema, properties }, { nameOf: () => undefined, isGiven: true }, '  ');
  return `\n${comment("Content of a user's configuration file.")}export interface ConfigFile {\n${fields}}\n`;
}

if (process.env.UPDATE_GOLDEN === '1') {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of rendered) writeFileSync(path.join(folder, file), text);
}

it('the types of calls and of the configuration match the published schemas', () => {
  expect(readdirSync(folder).sort()).toEqual([...rendered.keys()].sort());
  for (const [file, text] of rendered) expect(readFileSync(path.join(folder, file), 'utf8'), file).toBe(text);
});
