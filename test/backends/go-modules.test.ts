import { expect, it } from 'vitest';
import type { ProjectFacts } from '../../src/servers/definition.ts';
import { hasFetchedMore, modulesOfFreshClone, workspaceOf } from '../../src/servers/projects/go-modules.ts';
import { noFacts } from '../project-facts.ts';

/** A workspace at `/w` of these files; a module cache at `/home/go/pkg/mod`. */
function factsOf(files: Readonly<Record<string, string>>, environment = {}): ProjectFacts {
  const paths = Object.keys(files);
  return {
    ...noFacts,
    environment: { HOME: '/home', ...environment },
    exists: (path) => path in files,
    folders: (folder) => [
      ...new Set(
        paths
          .filter((path) => path.startsWith(`${folder}/`))
          .map((path) => path.slice(folder.length + 1).split('/'))
          .flatMap(([name = '', ...rest]) => (rest.length > 0 ? [name] : [])),
      ),
    ],
    read: (path) => files[path],
    readSettings: (path) => files[path.startsWith('/') ? path : `/home/${path}`],
  };
}

function goWorkOf(facts: ProjectFacts): string | undefined {
  const modules = modulesOfFreshClone(facts);
  const entry = modules && workspaceOf(modules)['go.work'];
  return entry && 'text' in entry ? entry.text : undefined;
}

const app = 'module example.com/app\n\ngo 1.19\n\nrequire example.com/Other v0.1.0 // indirect\n';
const cached = '/home/go/pkg/mod/cache/download/example.com/!other/@v/v0.1.0.mod';

it('a module that is required and not in the cache is replaced by an empty one', () => {
  const facts = factsOf({ '/w/go.mod': app });
  expect(goWorkOf(facts)).toBe(
    'go 1.19\nuse "/w"\nreplace example.com/Other v0.1.0 => "./empty/a5f1e0bc24def0d9"\n',
  );
  const modules = modulesOfFreshClone(facts);
  expect(modules && workspaceOf(modules)).toMatchObject({
    'empty/a5f1e0bc24def0d9/go.mod': { text: 'module example.com/Other\n\ngo 1.16\n' },
  });
});

it.each([
  ['everything is in the cache', { '/w/go.mod': app, [cached]: 'module example.com/Other\n' }, {}],
  ['a folder above has one', { '/w/go.mod': app, '/go.work': 'go 1.19\n' }, {}],
  ['the modules are in vendor', { '/w/go.mod': app, '/w/vendor/modules.txt': '' }, {}],
  ['the user says which', { '/w/go.mod': app }, { GOWORK: 'off' }],
  [
    'the cache is where the user has said',
    {
      '/w/go.mod': app,
      '/home/.config/go/env': 'GOPATH=/data/go\n',
      [cached.replace('/home/go', '/data/go')]: 'module example.com/Other\n',
    },
    {},
  ],
  ['modules are off', { '/w/go.mod': app }, { GO111MODULE: 'off' }],
  ['the user says where modules come from', { '/w/go.mod': app }, { GOFLAGS: '-mod=vendor' }],
  ['there is no module', { '/w/main.go': 'package main\n' }, {}],
])('nothing is replaced if %s', (_, files, environment) => {
  expect(goWorkOf(factsOf(files, environment))).toBeUndefined();
});

it('a path that leads elsewhere makes no folder', () => {
  const text = `${app}require ../../outside v1.0.0\nrequire /etc/x v1.0.0\nrequire a/../../b v1.0.0\nrequire a/.git/c v1.0.0\n`;
  expect(modulesOfFreshClone(factsOf({ '/w/go.mod': text }))?.missing).toEqual(['example.com/Other']);
});

it('the modules of the workspace are joined once each, but not those that may need a newer Go', () => {
  const facts = factsOf({
    '/w/go.mod': `${app}replace example.com/x => ./x\n`,
    '/w/x/go.mod': 'module example.com/x\n\ngo 1.20\n\nreplace example.com/y => ../y1\n',
    '/w/copy/go.mod': 'module example.com/x\n\ngo 1.20\n\nreplace example.com/y => example.com/z v1.0.0\n',
    '/w/b/go.mod': 'module example.com/b\n\nreplace example.com/y => ../y2\n',
    '/w/new/go.mod': 'module example.com/new\n\ngo 1.24.1\n',
    '/w/testdata/go.mod': 'module example.com/test\n',
    '/w/.hidden/go.mod': 'module example.com/hidden\n',
  });
  expect(goWorkOf(facts)?.split('\n').toSorted()).toEqual([
    '',
    'go 1.20',
    'replace example.com/Other v0.1.0 => "./empty/a5f1e0bc24def0d9"',
    expect.stringMatching(/^replace example\.com\/y => "\/w\/y[12]"$/),
    'use "/w"',
    'use "/w/b"',
    expect.stringMatching(/^use "\/w\/(?:x|copy)"$/),
  ]);
});

it('what the go.work of the repository says counts', () => {
  const facts = factsOf({
    '/w/go.work': 'go 1.21\n\nuse (\n\t./a\n)\n\nreplace example.com/y => ../y\n',
    '/w/a/go.mod': app.replace('app', 'a'),
    '/w/b/go.mod': app.replace('app', 'b'),
  });
  expect(goWorkOf(facts)).toBe(
    'go 1.21\nuse "/w/a"\nreplace example.com/y => "/y"\nreplace example.com/Other v0.1.0 => "./empty/a5f1e0bc24def0d9"\n',
  );
});

it('modules of the workspace that require each other are joined, though nothing else is missing', () => {
  const facts = factsOf({
    '/w/go.mod': 'module example.com/app\n\ngo 1.19\n',
    '/w/doc/go.mod': 'module example.com/app/doc\n\ngo 1.19\n\nrequire example.com/app v1.0.0\n',
  });
  expect(modulesOfFreshClone(facts)?.missing).toEqual([]);
  expect(goWorkOf(facts)).toBe('go 1.19\nuse "/w/doc"\nuse "/w"\nreplace example.com/app v1.0.0 => "/w"\n');
});

it('a version that is there stands for one that is not, also where only fetched modules require it', () => {
  const facts = factsOf({
    '/w/a/go.mod': `${app.replace('app', 'a')}require example.com/Other v0.2.0\n`,
    '/w/c/go.mod': 'module example.com/c\n\ngo 1.19\n\nrequire(\n\texample.com/y v1.2.0\n)\n',
    [cached]: 'module example.com/Other\n\nrequire example.com/y v1.3.0\n',
    '/home/go/pkg/mod/cache/download/example.com/y/@v/v1.2.0.mod': 'module example.com/y\n',
  });
  expect(modulesOfFreshClone(facts)?.missing).toEqual([]);
  expect(goWorkOf(facts)?.split('\n').slice(3).toSorted()).toEqual([
    '',
    'replace example.com/Other v0.2.0 => example.com/Other v0.1.0',
    'replace example.com/y v1.3.0 => example.com/y v1.2.0',
  ]);
});

it('a replacement of one version, or by a folder with a blank, is read as Go reads it', () => {
  const text = `${app}replace example.com/Other v0.0.9 => ../old\nreplace example.com/z => "../my lib" // ours\nrequire example.com/z v1.0.0\n`;
  const facts = factsOf({ '/w/go.mod': text, '/my lib/go.mod': 'module example.com/z\n' });
  expect(modulesOfFreshClone(facts)?.missing).toEqual(['example.com/Other']);
});

it.each([
  ['was not fetched at all', {}],
  ['is known without its text', { [cached]: 'module example.com/Other\n' }],
])('a module that %s is noticed once it is there', (_what, known) => {
  const files: Record<string, string> = { '/w/go.mod': app, ...known };
  const facts = factsOf(files);
  modulesOfFreshClone(facts);
  expect(hasFetchedMore(facts)).toBe(false);
  files['/home/go/pkg/mod/example.com/!other@v0.1.0'] = '';
  expect(hasFetchedMore(facts)).toBe(true);
});

it('modules that are there at first are no news', () => {
  const folder = '/home/go/pkg/mod/example.com/!other@v0.1.0';
  const facts = factsOf({ '/w/go.mod': app, [cached]: 'module example.com/Other\n', [folder]: '' });
  modulesOfFreshClone(facts);
  expect(hasFetchedMore(facts)).toBe(false);
});
