import { createRequire } from 'node:module';
import fc from 'fast-check';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { LspanError } from '../../../../src/core/errors.ts';
import { list, object } from '../../../../src/core/runtime/json.ts';
import { resultOrError } from '../../../../src/core/runtime/result.ts';
import { geminiHooks } from '../../../../src/frontends/setup/clients/client-hooks.ts';
import {
  addEntry,
  type EntryFormat,
  missingAround,
  removeEntry,
  valueOfKeys,
} from '../../../../src/frontends/setup/formats/entry-format.ts';
import { jsonFormat } from '../../../../src/frontends/setup/formats/json-format.ts';
import { addHooks, removeHooks } from '../../../../src/frontends/setup/formats/json-hooks.ts';
import { applyChanges, inverted } from '../../../../src/frontends/setup/formats/text-change.ts';
import { tomlFormat } from '../../../../src/frontends/setup/formats/toml-format.ts';
import { yamlFormat } from '../../../../src/frontends/setup/formats/yaml-format.ts';
import { withSeed } from '../../../with-seed.ts';
import { randomHooks, randomJson, randomToml, randomYaml } from './random-files.ts';

const entry = { own: { command: 'C:\\a "b"', args: ['mcp'] }, initial: { enabled: true } };
const other = { own: { command: 'lspan', args: ['mcp', '--read-only'] }, initial: {} };
const runs = withSeed({ numRuns: Number(process.env.LSPAN_RUNS ?? 400) });

interface Kind {
  readonly name: string;
  readonly format: EntryFormat;
  readonly key: string;
  readonly files: fc.Arbitrary<string>;
  readonly parse: (text: string) => unknown;
}

/** A parser of all of YAML comes with a server of the scenarios. */
const ofServer = createRequire(createRequire(import.meta.url).resolve('yaml-language-server/package.json'));
const yaml: { parse: (text: string) => unknown } = ofServer('yaml');

const kinds: readonly Kind[] = [
  { name: 'JSON', format: jsonFormat, key: 'mcpServers', files: randomJson(), parse: readJson },
  { name: 'TOML', format: tomlFormat, key: 'mcp_servers', files: randomToml(), parse: readToml },
  { name: 'YAML', format: yamlFormat, key: 'extensions', files: randomYaml(), parse: yaml.parse },
];

describe.each(kinds)('any file in $name', (kind) => {
  it('says everything else as before, has the entry, and gets its bytes back', () => {
    let tried = 0;
    fc.assert(
      fc.property(kind.files, (text) => {
        if (play(kind, text)) tried++;
      }),
      runs,
    );
    // Most are changed; the others are refused with line and column.
    expect(tried).toBeGreaterThan(runs.numRuns / 2);
  });
});

it('any file in JSON keeps everything else when hooks are added, and gets its bytes back', () => {
  const entries = geminiHooks.content.kind === 'entries' ? geminiHooks.content.entries : expect.unreachable();
  const [hooks, others] = ['lspan', '/other'].map((program) => entries([program, 'hook'], 'linux'));
  if (hooks === undefined || others === undefined) return expect.unreachable();
  let tried = 0;
  fc.assert(
    fc.property(randomHooks(), (text) => {
      const first = resultOrError(() => addHooks(text, hooks));
      if (first instanceof LspanError) {
        expect(first.message).toMatch(/^\d+:\d+: /);
        return;
      }
      tried++;
      const added = applyChanges(text, first);
      expect(readJson(added)).toMatchObject({ hooks: { AfterTool: expect.any(Array) } });
      expect(addHooks(added, hooks)).toEqual([]);
      expect(applyChanges(added, inverted(first))).toBe(text);
      const twice = applyChanges(added, addHooks(added, others));
      expect(twice).toContain('/other hook');
      const removed = applyChanges(twice, removeHooks(twice, hooks));
      expect(removeHooks(removed, hooks)).toEqual([]);
      expect(removed).not.toContain('/other hook');
      expect(comparable(readJson(removed) ?? {})).toEqual(comparable(withoutEmptied(readJson(text))));
    }),
    runs,
  );
  expect(tried).toBeGreaterThan(runs.numRuns / 2);
});

/** What was empty before is left out, since it is not known that it was there. */
function withoutEmptied(value: unknown): unknown {
  const root = object(value);
  const hooks = Object.entries(object(root.hooks)).filter(
    ([event, groups]) => !['SessionStart', 'AfterTool'].includes(event) || list(groups).length > 0,
  );
  const { hooks: _, ...others } = root;
  return hooks.length === 0 ? others : { ...others, hooks: Object.fromEntries(hooks) };
}

/** Adds, adds again, changes, and takes all back; then takes the entry out as if nothing were remembered. */
function play({ format, key, parse }: Kind, text: string): boolean {
  const path = [key, 'lspan'];
  const first = resultOrError(() => addEntry(format, text, path, entry));
  if (first instanceof LspanError) {
    expect(first.message).toMatch(/^\d+:\d+: /);
    return false;
  }
  const before = parse(text);
  const added = applyChanges(text, first);
  const there = valueOfKeys(before, path);
  const wanted =
    there === undefined ? { ...entry.own, ...entry.initial } : { ...object(there), ...entry.own };
  expect(comparable(valueOfKeys(parse(added), path))).toEqual(comparable(wanted));
  expect(without(parse(added), key)).toEqual(without(before, key));
  expect(addEntry(format, added, path, entry)).toEqual([]);
  expect(applyChanges(added, inverted(first))).toBe(text);
  const second = addEntry(format, added, path, other);
  const twice = applyChanges(added, second);
  expect(valueOfKeys(parse(twice), path)).toMatchObject(other.own);
  expect(applyChanges(twice, inverted([...first, ...second]))).toBe(text);
  const removed = applyChanges(
    twice,
    removeEntry(format, twice, path, missingAround(format.read(text), path)),
  );
  expect(valueOfKeys(parse(removed), path)).toBeUndefined();
  expect(without(parse(removed), key)).toEqual(without(before, key));
  // Comments inside of an entry go with it, and no others.
  if (there === undefined) expect(removed.match(/note\d/g)).toEqual(text.match(/note\d/g));
  return true;
}

/** Everything but the entry, and the object around it if it is empty without that. */
function without(value: unknown, key: string): unknown {
  const { [key]: servers, ...root } = object(value);
  const { lspan: _, ...rest } = object(servers);
  return comparable(Object.keys(rest).length === 0 ? root : { ...root, [key]: rest });
}

function comparable(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)));
}

function readJson(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  expect(errors).toEqual([]);
  return value;
}

function readToml(text: string): unknown {
  return parseToml(text, { integersAsBigInt: 'asNeeded' });
}
