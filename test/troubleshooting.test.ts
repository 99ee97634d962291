import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCodes } from '../src/core/errors.ts';
import { commandNames, flagsOf } from '../src/frontends/cli/flags.ts';
import { isPrinted } from './quoted-messages.ts';

const root = path.resolve(import.meta.dirname, '..');
const page = read('docs/troubleshooting.md');
const quoted = [...page.matchAll(/^```text\n(.*?)^```$/gms)].flatMap(
  ([, text]) => text?.trim().split('\n') ?? [],
);

describe('docs/troubleshooting.md', () => {
  it.each(quoted)('lspan can print: %s', (line) => {
    const [, code, kind, message = ''] =
      /^(?:lspan: |Next: )?(?:([a-z_]+): |May be incomplete \((\w+)\): )?(.*)$/.exec(line) ?? [];
    if (code !== undefined) expect(errorCodes).toContain(code);
    if (kind !== undefined) expect(read('src/core/doubts.ts')).toContain(`'${kind}'`);
    expect(isPrinted(message)).toBe(true);
  });

  it('has each symptom that people meet first', () => {
    const codes = [
      'not_installed',
      'not_trusted',
      'indexing',
      'memory_limit',
      'watch_lost',
      'outside_workspace',
    ];
    for (const code of [...codes, 'stale', 'ambiguous']) expect(page).toContain(code);
    for (const title of ['list lspan', 'Hooks are silent', 'daemon is not used', 'home folder'])
      expect(page).toMatch(new RegExp(`^## .*${title}`, 'm'));
  });

  it('has a message, or a reason why there is none, under every title', () => {
    const sections = page.split(/^## /m).slice(1);
    expect(sections.filter((text) => !/^```text$|There is no message/m.test(text))).toEqual([]);
  });
});

const pages = ['README.md', ...['docs', 'docs/languages'].flatMap(pagesIn)];

describe('the commands in the documents', () => {
  it.each(pages)('every command of lspan that %s names exists, with its flags', (file) => {
    expect(commandsIn(read(file)).filter((command) => !exists(command))).toEqual([]);
  });
});

/** What follows `lspan` in blocks of shell and in code within lines. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].flatMap(
    ([, block]) => block?.split('\n') ?? [],
  );
  const typed = blocks.map((line) => line.replace(/^\$ /, '').replace(/ # .*/, ''));
  const inline = [...text.matchAll(/(?<!`)`(lspan [^`\n]+)`(?!`)/g)].map(([, code]) => code ?? '');
  return [...typed, ...inline].filter((line) => line.startsWith('lspan '));
}

/** The first word is a command, or there are only flags; every flag is known to it. */
function exists(line: string): boolean {
  const [, ...words] = line.replace(/'[^']*'|"[^"]*"/g, 'TEXT').split(/\s+/);
  const [first = ''] = words;
  const command = commandNames.find((name) => name === first);
  if (command === undefined) return first.startsWith('-') || first === 'help';
  const known = new Set(flagsOf(command).flatMap(({ name, short }) => [`--${name}`, `-${short}`]));
  return words
    .flatMap((word) => /--[\w-]+/.exec(word) ?? [])
    .every((flag) => known.has(flag) || flag === '--help');
}

function pagesIn(folder: string): readonly string[] {
  const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
