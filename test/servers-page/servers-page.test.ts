import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { servers } from '../../src/servers/index.ts';
import { tools } from '../../src/tools/index.ts';
import { provenTools } from './proven-tools.ts';
import { renderServersPage } from './render-servers-page.ts';
import { renderToolsPage } from './render-tools-page.ts';
import { proven, scenarios, serverFacts, shipped } from './server-facts.ts';

const root = path.resolve(import.meta.dirname, '../..');
const page = path.join(root, 'docs/servers.md');

it('docs/servers.md tells what the definitions and the scenarios tell', () => {
  const present = renderServersPage(serverFacts, shipped);
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(page, present);
  expect(read('docs/servers.md')).toBe(present);
});

it('docs/tools-by-server.md tells which tool answered on which server in the scenarios', () => {
  const present = renderToolsPage(tools, provenTools(scenarios, servers));
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
  const silent = serverFacts.filter(
    ({ definition, note }) => note === '' || !/[.`]|https:/.test(definition.install),
  );
  expect(silent.map(({ definition }) => definition.id)).toEqual([]);
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
