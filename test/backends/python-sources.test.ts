import { expect, it } from 'vitest';
import { pythonSources } from '../../src/servers/projects/python-sources.ts';
import { noFacts } from '../project-facts.ts';

/** The sources of a workspace at `/w` that has these files. */
function sourcesOf(...files: readonly string[]): readonly string[] {
  const below = (folder: string) =>
    files.flatMap((file) =>
      `/w/${file}`.startsWith(`${folder}/`) ? [`/w/${file}`.slice(folder.length + 1)] : [],
    );
  const names = (folder: string, isFolder: boolean) => [
    ...new Set(
      below(folder)
        .map((file) => file.split('/'))
        .flatMap(([name = '', ...rest]) => (!isFolder || rest.length > 0 ? [name] : [])),
    ),
  ];
  return pythonSources({
    ...noFacts,
    root: '/w',
    exists: (path) => files.includes(path.slice('/w/'.length)) || below(path).length > 0,
    list: (folder) => names(folder, false),
    folders: (folder) => names(folder, true),
  });
}

it.each([
  ['in src', ['a/pyproject.toml', 'a/src/one/__init__.py', 'a/tests/test_one.py'], ['/w/a/src']],
  ['beside the manifest', ['libs/a/setup.py', 'libs/a/one/__init__.py'], ['/w/libs/a']],
  ['a folder that is itself called src', ['a/setup.cfg', 'a/src/__init__.py'], ['/w/a']],
  ['a module of one file', ['a/pyproject.toml', 'a/one.py'], ['/w/a']],
  ['not there yet', ['a/pyproject.toml'], ['/w/a/src']],
  [
    'parts of one package',
    ['a/pyproject.toml', 'a/src/house/a/__init__.py', 'b/pyproject.toml', 'b/src/house/b/__init__.py'],
    ['/w/a/src', '/w/b/src'],
  ],
])('the modules of a package are found %s', (_, files, expected) => {
  expect(sourcesOf(...files)).toEqual(expected);
});

it.each([
  ['it is that of the root, which the server finds', ['pyproject.toml', 'src/one/__init__.py']],
  ['it is a package of a test', ['tests/a/pyproject.toml', 'tests/a/src/one/__init__.py']],
  ['it is installed', ['.venv/lib/a/setup.py', '.venv/lib/a/one/__init__.py']],
  ['it is far below', ['a/b/c/d/pyproject.toml', 'a/b/c/d/src/one/__init__.py']],
  [
    'another has a module of that name',
    ['a/setup.py', 'a/one/x.py', 'a/tests/x.py', 'b/setup.py', 'b/two/x.py', 'b/tests/x.py'],
  ],
  [
    'another has the whole package of that name',
    ['a/setup.py', 'a/src/house/__init__.py', 'b/setup.py', 'b/src/house/__init__.py'],
  ],
])('the folder of a package is left out where %s', (_, files) => {
  expect(sourcesOf(...files)).toEqual([]);
});
