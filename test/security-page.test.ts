import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../src/core/limits.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = read('docs/SECURITY.md');
const { http, log, trace } = limits;

describe('docs/SECURITY.md', () => {
  it('has the bounds that hold', () => {
    const stated = [
      `Up to ${http.tokens} may be valid at once`,
      `beyond ${log.perSecond}\n  lines of one event per second`,
      `ends at ${trace / 1024 / 1024} MiB`,
    ];
    expect(stated.filter((text) => !page.includes(text))).toEqual([]);
  });

  const promises = rows('Promises and their proof');

  it.each(promises)('keeps what it promises: %s', (_promise, checks, tests) => {
    const ids = checks?.split(', ') ?? [];
    const files = [...(tests ?? '').matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
    const titles = files.map(titlesIn);
    expect(ids.filter((id) => !titles.some((each) => each.includes(id)))).toEqual([]);
    expect(files.filter((_, index) => !ids.some((id) => titles[index]?.includes(id)))).toEqual([]);
  });

  it.each(rows('Confined servers'))('keeps what it promises of a confined server: %s', (...cells) => {
    const proof = cells.at(-1) ?? '';
    const [id = 'none'] = /CNF-\d+/.exec(proof) ?? [];
    const files = [...proof.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? '');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !titlesIn(file).includes(id))).toEqual([]);
  });

  it('says how to report, and names no address that nobody reads', () => {
    expect(page).toMatch(/^## How to report a vulnerability$/m);
    expect(page).not.toMatch(/\w@\w+\.\w/);
  });

  it('is the only page of this name, however a file system reads names', () => {
    const names = readdirSync(path.join(root, 'docs')).map((name) => name.toLowerCase());
    expect(names).toHaveLength(new Set(names).size);
  });
});

/** The cells of the table under a heading, without its head. */
function rows(title: string): readonly (readonly string[])[] {
  const part = page.split(/^#+ /m).find((each) => each.startsWith(`${title}\n`)) ?? '';
  const lines = part.split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(1).map((line) => line.slice(2, -2).split(' | '));
}

/** The words of the titles of a file's tests. */
function titlesIn(file: string): string {
  return [...read(file).matchAll(/\b(?:it|test|describe|unlessSkipped)[\w.]*\(?[^'`]*?['`]([^\n]*)/g)]
    .map(([, title]) => title)
    .join('\n');
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
