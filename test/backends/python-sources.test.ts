import { expect, it } from 'vitest';
import type { ProjectFacts } from '../../src/servers/definition.ts';
import { haveSourcesChanged, pythonSources } from '../../src/servers/projects/python/python-sources.ts';
import { noFacts } from '../project-facts.ts';

/** A workspace at `/w` that has these files. */
function workspaceOf(...files: readonly string[]): ProjectFacts {
  return {
    ...noFacts,
    listing: () => ({ ...noFacts.listing(), files: files.map((file) => `/w/${file}`) }),
  };
}

const sourcesOf = (...files: readonly string[]) => pythonSources(workspaceOf(...files));

const one = ['a/pyproject.toml', 'a/src/one/__init__.py'];

it.each([
  ['in src', [...one, 'a/tests/test_one.py'], ['/w/a/src']],
  ['beside the manifest', ['libs/a/setup.py', 'libs/a/one/__init__.py'], ['/w/libs/a']],
  ['in a folder that is itself called src', ['a/setup.cfg', 'a/src/__init__.py'], ['/w/a']],
  ['as one file', ['a/pyproject.toml', 'a/one.py'], ['/w/a']],
  ['as a stub', ['a/pyproject.toml', 'a/src/one.pyi'], ['/w/a/src']],
  ['far below', ['a/b/c/d/pyproject.toml', 'a/b/c/d/src/one/__init__.py'], ['/w/a/b/c/d/src']],
  ['in a folder of the same name', ['one/pyproject.toml', 'one/src/one/__init__.py'], ['/w/one/src']],
  [
    'as parts of one package',
    ['a/pyproject.toml', 'a/src/house/a/__init__.py', 'b/pyproject.toml', 'b/src/house/b/__init__.py'],
    ['/w/a/src', '/w/b/src'],
  ],
  ['with a module of the same name in it', [...one, 'a/src/one/one.py'], ['/w/a/src']],
  [
    'in a folder of the same name with other modules',
    ['one/setup.py', 'one/tool.py', 'one/src/one/__init__.py', 'one/tests/a.py', 'one/src/one/more.py'],
    ['/w/one/src'],
  ],
])('the modules of a package are found %s', (_, files, expected) => {
  expect(sourcesOf(...files)).toEqual(expected);
});

it.each([
  ['it is that of the root, which the server finds', ['pyproject.toml', 'src/one/__init__.py']],
  ['it is a package of a test', ['tests/a/pyproject.toml', 'tests/a/src/one/__init__.py']],
  ['it is installed', ['.venv/lib/a/setup.py', '.venv/lib/a/one/__init__.py']],
  ['it has no modules', ['a/pyproject.toml', 'a/src/readme.md']],
  ['a module beside a test has that name', [...one, 'b/tests/one.py']],
  ['a stub has that name', [...one, 'typings/one/__init__.pyi']],
  ['a folder of scripts has that name', [...one, 'scripts/one/run.py']],
  ['another package has a module of that name', [...one, 'b/src/two/one.py']],
  ['one of its modules is one of the standard library', [...one, 'a/src/types.py']],
  ['one of its modules is private', [...one, 'a/src/_build.py']],
  ['both packages have tests of that name', [...one, 'b/setup.py', 'b/two.py', 'b/one.py']],
  ['another has the whole package of that name', ['a/setup.cfg', 'a/src/house/x.py', 'b/house/__init__.py']],
  ['another has a part that lies in its own', [...one, 'b/src/one/more/__init__.py']],
  [
    'a script beside it has the name of its module',
    ['one/setup.py', 'one/tool.py', 'one/src/one/__init__.py', 'one/src/one/tool.py'],
  ],
  [
    'a folder beside it has a part of the name of its module',
    ['one/setup.py', 'one/bin/run.py', 'one/src/one/__init__.py', 'one/src/one/bin/run.py'],
  ],
  ['scripts in it have a module of that name', [...one, 'a/src/one/scripts/one.py']],
  ['its parts have a module of that name', ['a/setup.cfg', 'a/src/house/x.py', 'a/src/house/b/house.py']],
  [
    'another has the same part of a package',
    ['a/pyproject.toml', 'a/src/house/x.py', 'b/pyproject.toml', 'b/src/house/x.py'],
  ],
])('the folder of a package is left out where %s', (_, files) => {
  expect(sourcesOf(...files)).toEqual([]);
});

it.each([
  ['a link may lead to a module of that name', { links: ['/w/tests/one'] }],
  ['not all files are known', { isWhole: false }],
])('the folder of a package is left out where %s', (_, listing) => {
  const facts = workspaceOf(...one);
  expect(pythonSources({ ...facts, listing: () => ({ ...facts.listing(), ...listing }) })).toEqual([]);
});

it.each([
  ['a configuration has environments', { read: () => '{ "executionEnvironments": [] }' }],
  ['the server runs elsewhere', { isElsewhere: true }],
])('no folder is given where %s', (_, known) => {
  expect(pythonSources({ ...workspaceOf(...one), ...known })).toEqual([]);
});

it('only files that come or go can change what was given', () => {
  const files = one.map((file) => `/w/${file}`);
  let generation = 1;
  const facts = { ...noFacts, listing: () => ({ ...noFacts.listing(), files, generation }) };
  expect(haveSourcesChanged(facts)).toBe(false);
  pythonSources(facts);
  generation += 1;
  expect(haveSourcesChanged(facts)).toBe(false);
  files.push('/w/tests/one.py');
  generation += 1;
  expect(haveSourcesChanged(facts)).toBe(true);
  expect(haveSourcesChanged(facts)).toBe(true);
  files.pop();
  generation += 1;
  expect(haveSourcesChanged(facts)).toBe(false);
});
