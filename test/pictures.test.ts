import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const folder = path.join(root, 'docs/pictures');
const committed = readdirSync(folder).sort();
const most = 20_000;

it('docs/pictures/ is what the commands in them print now', async () => {
  const script = path.join(root, 'scripts/pictures.js');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--print']);
  const made = new Map<string, string>(JSON.parse(stdout));
  expect([...made.keys()].sort()).toEqual(committed);
  for (const [file, picture] of made) expect(texts(read(file)), file).toEqual(texts(picture));
  for (const [file, picture] of made) expect(read(file), file).toBe(picture);
});

it.each(committed)('%s is small and loads, runs and links nothing', (file) => {
  expect(statSync(path.join(folder, file)).size).toBeLessThan(most);
  const picture = read(file).replace('xmlns="http://www.w3.org/2000/svg"', '');
  expect(picture).not.toMatch(/<script|<foreignObject|<image|href|url\(|@import|@font-face|https?:| on\w+=/);
});

it.each(committed)('%s is shown by a page', (file) => {
  const pages = [
    'README.md',
    ...readdirSync(path.join(root, 'docs'))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`),
  ];
  const showing = pages.filter((page) =>
    readFileSync(path.join(root, page), 'utf8').includes(`pictures/${file})`),
  );
  expect(showing).not.toEqual([]);
});

/** The lines of a picture as they are read, which a failure shows better than the picture does. */
function texts(picture: string): string[] {
  return picture.split('\n').map((line) => line.replace(/<[^>]*>/g, ''));
}

function read(file: string): string {
  return readFileSync(path.join(folder, file), 'utf8');
}
