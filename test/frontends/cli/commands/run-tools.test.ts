import { expect, it } from 'vitest';
import { runTools } from '../../../../src/frontends/cli/commands/run-tools.ts';
import { parseCommandLine } from '../../../../src/frontends/cli/parse-command-line.ts';
import { catalogue } from '../../../../src/surfaces/catalogue.ts';

async function printed(...words: string[]): Promise<string> {
  const command = parseCommandLine(['tools', ...words]);
  if (command.kind !== 'tools') throw new Error('It is another command.');
  let text = '';
  await runTools(command, async (part) => {
    text += part;
  });
  return text;
}

it('lists every tool of a surface, and how to list the others', async () => {
  const text = await printed();
  for (const { name } of catalogue[0]?.tools ?? []) expect(text).toContain(name);
  expect(text).toMatch(/as a tree\. \(not\s+listed by default: --toolset navigation\)/);
  expect(await printed('--surface', 'pathfinder')).toMatch(/^ {2}definition /);
});

it('shows the fields of one tool, within 80 columns', async () => {
  const text = await printed('search_workspace_symbols');
  expect(text).toMatch(/\n {2}query +string; required\n/);
  for (const { name } of catalogue[0]?.tools ?? [])
    for (const line of (await printed(name)).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

it('prints JSON, and names the tool that was probably meant', async () => {
  expect(JSON.parse(await printed('get_hover', '--json'))).toMatchObject({ name: 'get_hover' });
  await expect(printed('get_hoover')).rejects.toThrow('Unknown tool get_hoover. Did you mean get_hover?');
});
