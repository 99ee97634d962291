import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { servers } from '../../src/servers/index.ts';
import { readArchive } from '../scenarios/archive.ts';
import { provenServices } from './proven-services.ts';
import type { ServerFacts } from './render-servers-page.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Every scenario, once for each set of servers that it is played on. */
export const scenarios = readdirSync(path.join(root, 'test/scenarios'))
  .filter((file) => file.endsWith('.scenario'))
  .flatMap((file) => {
    const source = readFileSync(path.join(root, 'test/scenarios', file), 'utf8');
    return readArchive(source).servers.map((together) => ({
      scenario: readArchive(source, together),
      together,
    }));
  });

/** What the scenarios prove of each server. */
export const proven = provenServices(scenarios, servers);

/** What the pages tell of each server. */
export const serverFacts: readonly ServerFacts[] = servers.map((definition) => ({
  definition,
  proof: proven.get(definition.id),
  note: noteOf(definition.id),
}));

/** The packages that lspan brings along. */
export const shipped: ReadonlySet<string> = new Set(
  Object.keys(JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).dependencies),
);

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
