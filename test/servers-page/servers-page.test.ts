import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { servers } from '../../src/servers/index.ts';
import { tools } from '../../src/tools/index.ts';
import { readArchive } from '../scenarios/archive.ts';
import { provenServices } from './proven-services.ts';
import { provenTools } from './proven-tools.ts';
import { renderServersPage } from './render-servers-page.ts';
import { renderToolsPage } from './render-tools-page.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = path.join(root, 'docs/servers.md');
const proven = provenServices(scenarios(), servers);

it('docs/servers.md tells what the definitions and the scenarios tell', () => {
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(read('package.json'));
  const facts = servers.map((definition) => ({
    definition,
    proof: proven.get(definition.id),
    note: noteOf(definition.id),
  }));
  const present = renderServersPage(facts, new Set(Object.keys(dependencies)));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, present);
  expect(read('docs/servers.md')).toBe(present);
});

it('docs/tools-by-server.md tells which tool answered on which server in the scenarios', () => {
  const present = renderToolsPage(tools, provenTools(scenarios(), servers));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(path.join(root, 'docs/tools-by-server.md'), present);
  expect(read('docs/tools-by-server.md')).toBe(present);
});

it('a definition is marked as untested exactly where no scenario proves anything of it', () => {
  const marked = servers.filter(({ untested }) => untested === true).map(({ id }) => id);
  const unproven = servers.filter(({ id }) => !proven.has(id)).map(({ id }) => id);
  expect(marked.sort()).toEqual(unproven.sort());
});

it('scenarios prove at least 12 servers and 8 languages', () => {
  const languages = new Set([...proven.values()].flatMap((proof) => [...proof.languages]));
  expect(proven.size).toBeGreaterThanOrEqual(12);
  expect(languages.size).toBeGreaterThanOrEqual(8);
});

it('every definition says what it is and how to install it', () => {
  const silent = servers.filter(({ id, install }) => noteOf(id) === '' || !/[.`]|https:/.test(install));
  expect(silent.map(({ id }) => id)).toEqual([]);
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

/** Every scenario, once for each set of servers that it is played on. */
function scenarios() {
  const folder = path.join(root, 'test/scenarios');
  const files = readdirSync(folder).filter((file) => file.endsWith('.scenario'));
  return files.flatMap((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8');
    return readArchive(source).servers.map((together) => ({
      scenario: readArchive(source, together),
      together,
    }));
  });
}

/** The comment above a definition, as one paragraph. */
function noteOf(id: string): string {
  const folder = path.join(root, 'src/servers');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.ts'))) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const definitions = text
      .split(/^(?=\/\*\*)/m)
      .filter((part) => /^export const \w+: ServerDefinition = \{/m.test(part));
    const own = definitions.find((part) => part.includes(`id: '${id}'`));
    const [, comment = ''] = own?.match(/^\/\*\*([\s\S]*?)\*\//) ?? [];
    if (comment !== '')
      return comment
        .replace(/^\s*\*/gm, '')
        .replace(/\s+/g, ' ')
        .trim();
  }
  return '';
}
