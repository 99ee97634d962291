import { basename } from 'node:path';
import { limits } from '../../core/limits.ts';
import { isPython } from '../imports.ts';
import { occurrences } from '../words.ts';

/** A function of Python that pytest calls with what fixtures give, or the place of a string that asks for one. */
export interface FixtureRequest {
  /** The offset of the name of the function whose parameter asks; `undefined` for a string. */
  readonly asker?: number;
}

/**
 * Returns what asks for a fixture of pytest by a word: a parameter of a test or of another fixture, or a string as in
 * `usefixtures("engine")`. `undefined` if nothing does.
 */
export function fixtureRequestAt(file: string, text: string, word: Stretch): FixtureRequest | undefined {
  if (!isPython(file)) return undefined;
  if (/["']/.test(text[word.start - 1] ?? '')) return isFixtureString(file, text, word) ? {} : undefined;
  const asker = functionOfParameter(text, word);
  if (asker === undefined || !isCalledByName(file, text, asker)) return undefined;
  const name = text.slice(word.start, word.end);
  return decoratorsAbove(text, asker).some((one) => isGiven(one, name)) ? undefined : { asker };
}

/** What gets the values of a parameter: a function, or a class, which is one for each of its methods. */
export interface Parametrized {
  readonly isClass: boolean;
  /** Where its name is. */
  readonly offset: number;
}

/** Returns what a decorator gives values to by a word in a string, as in `@pytest.mark.parametrize("size, color", …)`. */
export function parametrizedAt(
  file: string,
  text: string,
  { start, end }: Stretch,
): Parametrized | undefined {
  if (!isPython(file) || !/^[\w ,]*["']/.test(text.slice(end, end + limits.mentions.ahead))) return undefined;
  if (!parametrizing.test(text.slice(Math.max(0, start - limits.mentions.ahead), start))) return undefined;
  const header = /^[ \t]*(?:class|(?:async[ \t]+)?def)[ \t]+(?=\w)/m.exec(
    text.slice(end, end + limits.mentions.statement),
  );
  if (!header) return undefined;
  return { isClass: /^\s*class/.test(header[0]), offset: end + header.index + header[0].length };
}

/** True if an offset is in the class whose name is at another. */
export function isInClassAt(text: string, name: number, offset: number): boolean {
  if (offset < name) return false;
  const indent = lineBefore(text, name).search(/\S/);
  const lines = text.slice(name, offset).split('\n').slice(1);
  return lines.every((line) => !/^[ \t]*[^\s#)\]}]/.test(line) || line.search(/\S/) > indent);
}

const parametrizing =
  /@(?:\w+\.){0,9}parametrize\s{0,9}\(\s{0,99}(?:argnames\s{0,9}=\s{0,9})?(?:[([]\s{0,99}(?:["']\w{1,80}["']\s{0,9},\s{0,99}){0,20})?["'][\w ,]*$/;

/** Returns the name by which tests get what a function gives, if the word at an offset is that of a fixture of pytest. */
export function fixtureNameAt(text: string, offset: number): string | undefined {
  const name = wordFrom(text, offset);
  if (assignedFixture.test(text.slice(offset, offset + limits.mentions.ahead)))
    return /^[ \t]*$/.test(lineBefore(text, offset)) ? name : undefined;
  const fixture = decoratorsAbove(text, offset).find((one) => fixtureDecorator.test(one));
  return fixture === undefined ? undefined : (givenName.exec(fixture)?.[1] ?? name);
}

/** Whether a text declares a fixture of a name: for all of it, or only in a class. */
export function declaredFixture(text: string, name: string): 'at_top' | 'in_class' | undefined {
  let found: 'in_class' | undefined;
  for (const offset of occurrences(text, name).slice(0, limits.mentions.namings)) {
    const line = lineBefore(text, offset);
    const isNamed = givenBefore.test(line) && /["']/.test(text[offset + name.length] ?? '');
    if (!isNamed && fixtureNameAt(text, offset) !== name) continue;
    if (/^\S/.test(line) || offset === 0 || line === '') return 'at_top';
    found = 'in_class';
  }
  return found;
}

/** True for a file of tests, as pytest finds them. */
export function isTestModule(file: string): boolean {
  return /^test_.*\.py$|_test\.py$/.test(basename(file));
}

/** The fixtures that pytest itself has. */
export const ownFixtures: ReadonlySet<string> = new Set(
  'cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig pytester record_property record_testsuite_property record_xml_attribute recwarn request subtests testdir tmp_path tmp_path_factory tmpdir tmpdir_factory'.split(
    ' ',
  ),
);

const fixtureDecorator = /^@(?:\w+\.){0,9}(?:yield_)?fixture\b/;
const assignedFixture = /^\w+[ \t]*=[ \t]*(?:\w+\.){0,9}fixture\(/;
const givenName = /\bname\s{0,9}=\s{0,9}["'](\w+)["']/;
const givenBefore = /\bname\s{0,9}=\s{0,9}["']$/;
/** Functions that libraries for pytest call with fixtures. */
const stepDecorator = /^@(?:\w+\.){0,9}(?:given|when|then|step)\b/;

/** True if a word is a string by which a test asks for a fixture. */
export function isFixtureString(file: string, text: string, { start, end }: Stretch): boolean {
  const quote = text[start - 1] ?? '';
  if (!isPython(file) || !/["']/.test(quote) || text[end] !== quote) return false;
  return asking.test(text.slice(Math.max(0, start - 1 - limits.mentions.ahead), start - 1));
}

const asking =
  /\b(?:usefixtures|getfixturevalue|getfuncargvalue)\s{0,9}\((?:\s{0,99}["']\w{1,80}["']\s{0,9},){0,20}\s{0,99}(?:argname\s{0,9}=\s{0,9})?$/;

/** Returns the offset of the name of the function that has a word as a parameter without a value of its own. */
export function functionOfParameter(text: string, { start, end }: Stretch): number | undefined {
  if (!/^\s*[:,)#]/.test(text.slice(end, end + limits.mentions.ahead))) return undefined;
  const from = Math.max(0, start - limits.mentions.statement);
  const before = text.slice(from, start);
  const header = [...before.matchAll(functionHeader)].at(-1);
  if (!header) return undefined;
  const name = header.index + header[0].length;
  const [, parameters] = parametersSoFar.exec(before.slice(name).replace(/#[^\n]*/g, '')) ?? [];
  const last = parameters?.trimEnd();
  if (last === undefined || last.lastIndexOf('[') > last.lastIndexOf(']')) return undefined;
  return last === '' || last.endsWith(',') ? from + name : undefined;
}

const functionHeader = /^[ \t]*(?:async[ \t]+)?def[ \t]+(?=\w)/gm;
const parametersSoFar = /^\w+[ \t]*(?:\[[^\]]*\][ \t]*)?\(([^()]*(?:\([^()]*\)[^()]*)*)$/;

/** True for a test, a fixture, and what nothing calls in a file of tests: a project may give its tests other names. */
function isCalledByName(file: string, text: string, offset: number): boolean {
  const name = wordFrom(text, offset);
  if (name.startsWith('test')) return true;
  const isCalled = (one: string) => fixtureDecorator.test(one) || stepDecorator.test(one);
  if (decoratorsAbove(text, offset).some(isCalled)) return true;
  return isTestModule(file) && occurrences(text, name).length === 1;
}

/** True if a decorator gives the values of a parameter itself. */
function isGiven(decorator: string, name: string): boolean {
  const [, names] = /\bparametrize\(\s{0,99}(["'][^"'\n]*["']|[[(][^\])]*[\])])/.exec(decorator) ?? [];
  return names !== undefined && occurrences(names, name).length > 0 && !/\bindirect\b/.test(decorator);
}

/** Returns the decorators of the function whose name is at an offset, each with all of its lines. */
function decoratorsAbove(text: string, offset: number): readonly string[] {
  const [, indent] = /^([ \t]*)(?:async[ \t]+)?def[ \t]+$/.exec(lineBefore(text, offset)) ?? [];
  if (indent === undefined) return [];
  const end = text.lastIndexOf('\n', offset - 1);
  const lines = text.slice(Math.max(0, end - limits.mentions.statement), Math.max(0, end)).split('\n');
  const found: string[] = [];
  let later = '';
  for (const line of lines.reverse()) {
    const code = line.trimStart();
    const width = line.length - code.length;
    if (code !== '' && !code.startsWith('#') && width <= indent.length) {
      if (width < indent.length || !/^[@)\]}]/.test(code)) break;
      later = `${code}\n${later}`;
      if (code.startsWith('@')) found.push(later);
      if (code.startsWith('@')) later = '';
    } else later = `${code}\n${later}`;
  }
  return found;
}

/** Returns what stands before an offset on its line. */
function lineBefore(text: string, offset: number): string {
  return text.slice(offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1, offset);
}

function wordFrom(text: string, offset: number): string {
  return /^\w+/.exec(text.slice(offset, offset + limits.mentions.ahead))?.[0] ?? '';
}

/** Where a word stands. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}
