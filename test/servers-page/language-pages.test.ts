import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { servers } from '../../src/servers/index.ts';
import { isPrinted } from '../quoted-messages.ts';
import { languageNotes } from './language-notes.ts';
import { provenTools } from './proven-tools.ts';
import { renderLanguageIndex, renderLanguagePage } from './render-language-pages.ts';
import { scenarios, serverFacts } from './server-facts.ts';

const folder = path.resolve(import.meta.dirname, '../../docs/languages');
const facts = { servers: serverFacts, tools: provenTools(scenarios, servers) };
const made = new Map([
  ['README.md', renderLanguageIndex(languageNotes, facts)],
  ...languageNotes.map((notes): [string, string] => [`${notes.page}.md`, renderLanguagePage(notes, facts)]),
]);

it('docs/languages/ is what the definitions, the scenarios and the notes tell', () => {
  if (process.env.UPDATE_GOLDEN === '1') writeAll();
  expect(readdirSync(folder).sort()).toEqual([...made.keys()].sort());
  for (const [file, text] of made) expect(readFileSync(path.join(folder, file), 'utf8'), file).toBe(text);
});

it('every server is on one page', () => {
  const told = languageNotes.flatMap((notes) => notes.servers);
  expect([...told].sort()).toEqual(servers.map(({ id }) => id).sort());
});

it('every doubt on the pages is one that lspan can print', () => {
  const quoted = languageNotes.flatMap(({ doubts }) => doubts.map(({ says }) => says));
  expect(quoted.filter((message) => !isPrinted(message))).toEqual([]);
});

function writeAll(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [file, text] of made) writeFileSync(path.join(folder, file), text);
}
