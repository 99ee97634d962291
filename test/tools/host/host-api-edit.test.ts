import { describe, expect, it } from 'vitest';
import { formatDiagnostics } from '../../../src/tools/host/format-diagnostics.ts';
import { openTestDesk } from './open-host-api.ts';

/** So many words that are errors, one a line. */
const errors = (count: number) => Array.from({ length: count }, (_, n) => `ERROR_${n}\n`).join('');

/** The files of which a block lists problems. */
const listedIn = (lines: readonly string[]) =>
  lines.flatMap((line) => /^<diagnostics file="(.*)">$/.exec(line)?.[1] ?? []);

describe('after an edit, a host appends', () => {
  it('the result of a check of the file', async () => {
    const { bridge, desk } = await openTestDesk();
    bridge.write('good.txt', 'function beta\nERROR_a WARN_b\n');
    const { file, problems, doubts } = await desk.check('good.txt', undefined);
    const told = formatDiagnostics(
      file,
      { [file]: problems },
      { doubts: doubts.map(({ detail }) => detail) },
    );
    expect(told).toBe(
      [
        'The edit was applied. The file has 1 error:',
        '<diagnostics file="good.txt">',
        'ERROR [2:1] The word ERROR_a is an error. (ERROR_a)',
        '</diagnostics>',
        'Not listed: 1 warning.',
      ].join('\n'),
    );
  });

  it('the problems of all known files: the edited one first, 20 of a file, 50 in all, 5 other files', async () => {
    const others = ['c', 'd', 'e', 'f', 'g', 'h'].map((name) => [`${name}.txt`, 'ERROR_other\n']);
    const files = {
      'many<&".txt': errors(25),
      'a.txt': errors(21),
      'b.txt': errors(15),
      'clean.txt': 'WARN_only\n',
      ...Object.fromEntries(others),
    };
    const { desk } = await openTestDesk({ files });
    for (const file of Object.keys(files)) await desk.check(file, undefined);
    const known = await desk.problems();
    expect(known).toMatchObject({ complete: true, doubts: [] });

    const lines = formatDiagnostics('many<&".txt', known.files).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'The edit was applied. The file has 25 errors:',
      '<diagnostics file="many&lt;&amp;&quot;.txt">',
      'ERROR [1:1] The word ERROR_0 is an error. (ERROR_0)',
    ]);
    expect(lines.slice(21, 23)).toEqual([
      'ERROR [20:1] The word ERROR_19 is an error. (ERROR_19)',
      '… and 5 more',
    ]);
    expect(lines.filter((line) => line.startsWith('ERROR '))).toHaveLength(50);
    expect(listedIn(lines)).toEqual(['many&lt;&amp;&quot;.txt', 'a.txt', 'b.txt']);
    expect(lines.slice(-2)).toEqual(['… and 6 more in 6 more files.', 'Not listed: 1 warning.']);

    const short = formatDiagnostics('h.txt', known.files).split('\n');
    expect(listedIn(short)).toEqual(['h.txt', 'a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']);
    expect(short.at(-2)).toBe('… and 27 more in 3 more files.');
  });

  it('that nothing is known if the file could not be checked', async () => {
    const { desk } = await openTestDesk({ files: { 'a.md': 'ERROR_a\n' } });
    const told = await desk.check('a.md', undefined).catch((error: Error) => error.message);
    expect(told).toBe('No language server is known for .md files.');
    expect(formatDiagnostics('a.md', {}, { doubts: [String(told)] })).toBe(
      [
        'The edit was applied. The file was not checked and may have errors.',
        'May be incomplete: No language server is known for .md files.',
      ].join('\n'),
    );
  });
});

describe('an unsaved text from a program', () => {
  it('is used by checks and by all known problems, until it is given back', async () => {
    const { bridge, desk } = await openTestDesk();
    const codes = async (text?: string) =>
      (await desk.check('good.txt', text)).problems.map(({ code }) => code);
    const told: unknown[] = [];
    desk.onProblems((file) => told.push(file));
    desk.hold('good.txt', 'ERROR_held\n');
    expect(told).toEqual([undefined]);
    expect(await codes()).toEqual(['ERROR_held']);
    expect(await codes('ERROR_given\n')).toEqual(['ERROR_given']);
    expect(await codes()).toEqual(['ERROR_held']);
    expect((await desk.problems()).files).toMatchObject({ 'good.txt': [{ code: 'ERROR_held' }] });
    const { data } = await bridge.call('get_diagnostics', { file_path: 'good.txt' });
    expect(data).toMatchObject({ diagnostics: [{ code: 'ERROR_held' }] });
    desk.hold('good.txt', null);
    expect(await codes()).toEqual([]);
    expect((await desk.problems()).files).toMatchObject({ 'good.txt': [] });
  });

  it('is refused outside the workspace', async () => {
    const { desk } = await openTestDesk();
    expect(() => desk.hold('../outside.txt', 'x')).toThrow(
      expect.objectContaining({ code: 'outside_workspace' }),
    );
  });
});
