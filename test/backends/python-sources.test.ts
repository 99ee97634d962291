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
  ['a compiled module has that name', [...one, 'b/tests/one.cpython-311-x86_64-linux-gnu.so']],
  ['stubs of that name are a package of their own', [...one, 'b/pyproject.toml', 'b/one-stubs/__init__.pyi']],
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
  ['a configuration extends another', { read: () => '{ "extends": "base.json" }' }],
  ['an ignored module lies in it', { list: () => ['made.py'] }],
  ['a configuration has environments', { read: () => '{ "executionEnvironments": [] }' }],
  ['the server runs elsewhere', { isElsewhere: true }],
])('no folder is given where %s', (_, known) => {
  expect(pythonSources({ ...workspaceOf(...one), ...known })).toEqual([]);
});

it.each([
  ['a package of others has that name', ['one', 'other-1.0.dist-info'], []],
  ['a module of others has that name', ['one.py'], []],
  ['a copy of it is installed', ['one', 'my_one-1.0.dist-info'], ['/w/a/src']],
  ['another package is installed', ['two', 'two-1.0.dist-info'], ['/w/a/src']],
])('what is installed is imported, copies excepted: %s', (_, names, expected) => {
  const installed = '/w/.venv/lib/python3.11/site-packages';
  const facts = {
    ...workspaceOf(...one),
    exists: (path: string) => path === installed,
    list: (path: string) => (path === '/w/.venv/lib' ? ['python3.11'] : path === installed ? names : []),
    read: (path: string) => (path === '/w/a/pyproject.toml' ? '[project]\nname = "My.One"\n' : undefined),
  };
  expect(pythonSources(facts)).toEqual(expected);
});

it('files inside of what is installed have no name that counts', () => {
  const links = ['/w/.venv/lib/python3.11/site-packages/two/one.py'];
  const facts = workspaceOf(...one);
  expect(pythonSources({ ...facts, listing: () => ({ ...facts.listing(), links }) })).toEqual(['/w/a/src']);
});

it('parts of a package may be installed beside those of the repository', () => {
  const installed = '/w/.venv/lib/python3.11/site-packages';
  const sources = (...there: readonly string[]) =>
    pythonSources({
      ...workspaceOf('a/pyproject.toml', 'a/src/house/x.py'),
      exists: (path) => path === installed || there.includes(path),
      list: (path) => (path === '/w/.venv/lib' ? ['python3.11'] : path === installed ? ['house'] : []),
    });
  expect(sources()).toEqual(['/w/a/src']);
  expect(sources(`${installed}/house/x.py`)).toEqual([]);
  expect(sources(`${installed}/house/__init__.py`)).toEqual([]);
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
