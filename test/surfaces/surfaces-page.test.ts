import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/surfaces.md'), 'utf8');

/** The rows of the tables: a point of an original, what lspan does, and how or why. */
const rows = page
  .split('\n')
  .filter((line) => /^\| .* \| (works|better|not copied)\b/.test(line))
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()))
  .map(([point = '', verdict = '', why = '', proof = '']) => ({ point, verdict, why, proof }));

describe('the page about the surfaces', () => {
  it('has a table for each original', () => {
    const titles = [...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Codeflow Buddy', 'lspi', 'LLxprt Code', 'pathfinder', 'mcp-lsp-gateway']);
    expect(rows.length).toBeGreaterThan(100);
  });

  it('says of every point that it works, how it is better, or why it is not copied', () => {
    const rowsOfTables = page
      .split('\n')
      .filter((line) => /^\| /.test(line) && !/^\| (Point|---)/.test(line));
    expect(rowsOfTables.length).toBe(rows.length);
    const bare = rows.filter(({ verdict, why }) => verdict !== 'works' && why.length < 10);
    expect(bare).toEqual([]);
  });
});

it.each(rows.filter(({ verdict }) => verdict !== 'not copied'))(
  'what is said of "$point" is proven by $proof',
  ({ proof }) => {
    const files = [...proof.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
      // The cases of the extension run inside of VS Code.
      expect(file).toMatch(/^test\/.*(\.test\.ts|\.scenario|vscode\/inside\/[a-z]+-cases\.ts)$/);
    }
  },
);
