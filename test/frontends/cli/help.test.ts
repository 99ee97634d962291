import { expect, it } from 'vitest';
import { commandHelps } from '../../../src/frontends/cli/command-helps.ts';
import { commandNames, flagsOf } from '../../../src/frontends/cli/flags.ts';
import { helpText } from '../../../src/frontends/cli/help.ts';
import { parseCommandLine } from '../../../src/frontends/cli/parse-command-line.ts';
import { parseFlags } from '../../../src/frontends/cli/parse-flags.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';

it.each(commandNames)('the help on %s names every flag of the command', (name) => {
  const text = helpText(name);
  for (const flag of flagsOf(name)) expect(text).toContain(`--${flag.name}`);
});

it.each(commandNames)('every flag in the help on %s is accepted', (name) => {
  for (const flag of flagsOf(name).filter(({ name: own }) => !['extension', 'server'].includes(own))) {
    const value = flag.value === undefined ? [] : [flag.choices?.[0] ?? 'x'];
    const needed = flag.name === 'via-program' ? ['--via', 'x'] : [];
    expect(() => parseFlags(name, [...needed, `--${flag.name}`, ...value])).not.toThrow();
  }
});

it.each(['mcp', 'serve', 'call'] as const)('the help on %s names every surface', (name) => {
  const [, help = ''] = helpText(name).split('--surface');
  expect(catalogue.map((surface) => surface.name).filter((each) => !help.includes(each))).toEqual([]);
});

it('the overview names every command and fits a screen', () => {
  const text = helpText();
  for (const form of ['lspan mcp', 'lspan call TOOL', 'lspan -e EXT… -s COMMAND', 'lspan --version']) {
    expect(text).toContain(form);
  }
  expect(text.split('\n').length).toBeLessThan(24);
});

it.each([undefined, ...commandNames])('the help on %s fits a terminal of 80 columns', (name) => {
  expect(
    helpText(name)
      .split('\n')
      .filter((line) => line.length > 80),
  ).toEqual([]);
});

it.each(commandNames)('the help on %s has examples that its parser takes', (name) => {
  const { examples } = commandHelps[name];
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    expect(helpText(name)).toContain(example);
    expect(parseCommandLine(wordsOf(example)).kind).toBe(name);
  }
});

/** The words after `lspan` of a shell command; what the shell itself does with the output is left out. */
function wordsOf(example: string): readonly string[] {
  const [, line = ''] = /lspan ([^<>)]*)/.exec(example) ?? [];
  return [...line.trim().matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}
