import { expect, it } from 'vitest';
import { pathMentions } from '../../../src/source-text/paths/path-mentions.ts';
import { resolvesTo } from '../../../src/source-text/paths/path-resolution.ts';

interface Case {
  readonly from: string;
  readonly text: string;
  /** A path that ends with `/` is a folder. */
  readonly goal?: string;
  /** What stands at the mentions, in order. */
  readonly found: readonly string[];
}

function leading({ from, text, goal = '/r/lib/core.c' }: Case): string[] {
  const around = { from, roots: ['/r'], isFile: () => false };
  const wanted = { path: goal.replace(/\/$/, ''), isFolder: goal.endsWith('/') };
  const name = wanted.path.replace(/^.*\//, '');
  return pathMentions(from, text, [wanted.isFolder ? name : name.replace(/(?<=.)\.\w+$/, '')])
    .filter((mention) => resolvesTo(mention, wanted, around) !== undefined)
    .map(({ offset, length }) => text.slice(offset, offset + length));
}

const cmake = '/r/lib/CMakeLists.txt';
const make = '/r/lib/Makefile';

it.each<Case>([
  { from: cmake, text: 'add_library(core core.c util.c)', found: ['core.c'] },
  { from: cmake, text: 'target_sources(x PRIVATE\n  core.c)', found: ['core.c'] },
  { from: cmake, text: '# core.c\nadd_library(core my-core.c core.h core.c.in)', found: [] },
  { from: cmake, text: `f($\{CMAKE_CURRENT_SOURCE_DIR}/core.c)`, found: ['/core.c'] },
  { from: cmake, text: `f($\{BUILD}/core.c)`, found: [] },
  { from: '/r/CMakeLists.txt', text: 'add_library(core core.c)', found: [] },
  { from: '/r/CMakeLists.txt', text: `set(SRC lib)\nf($\{SRC}/core.c $\{OTHER}/core.c)`, found: ['/core.c'] },
  { from: '/r/other/CMakeLists.txt', text: 'add_library(core core.c)', found: [] },
  { from: '/r/lib/a.txt', text: 'add_library(core core.c)', found: [] },
  { from: make, text: 'SRCS = app.c core.c\n', found: ['core.c'] },
  { from: make, text: 'SRCS=core.c\nx.o:core.c y.h', found: ['core.c', 'core.c'] },
  { from: make, text: 'OBJS := app.o core.o # core.c', found: ['core.o'] },
  { from: '/r/Makefile', text: 'OBJS = lib/core.o core.o', found: ['lib/core.o'] },
  { from: '/r/Makefile', text: 'VPATH = src:lib\nall: core.o', found: ['core.o'] },
  { from: '/r/Makefile', text: 'vpath %.c lib\nall: core.c', found: ['core.c'] },
  { from: '/r/Makefile', text: 'S := lib\nall: $(S)/core.c $(T)/core.c', found: ['/core.c'] },
  { from: '/r/lib/Makefile.am', text: 'x_SOURCES = a.c \\\n  core.c', found: ['core.c'] },
  { from: '/r/lib/BUILD', text: 'srcs = ["core.c", ":core.c"]', found: ['core.c', 'core.c'] },
  { from: '/r/BUILD.bazel', text: 'srcs = ["//lib:core.c", "@x//lib:core.c"]', found: ['//lib:core.c'] },
  { from: '/r/lib/wscript', text: "bld(source='main.c core.c')", found: ['core.c'] },
  {
    from: '/r/x.cabal',
    goal: '/r/app/Main.hs',
    text: 'executable x\n  main-is: Main.hs\n  hs-source-dirs: app',
    found: ['Main.hs'],
  },
  { from: '/r/Dockerfile', goal: '/r/app.py', text: 'COPY app.py x.txt /app/', found: ['app.py'] },
  { from: '/r/Dockerfile', goal: '/r/app.py', text: 'COPY x.py app.py\nCOPY --from=b app.py .', found: [] },
  { from: '/r/Dockerfile', goal: '/r/app.py', text: 'CMD python app.py', found: ['app.py'] },
  { from: '/r/Dockerfile', goal: '/r/run', text: 'COPY run /bin/run\nRUN run', found: ['run'] },
  {
    from: '/r/Dockerfile',
    goal: '/r/lib/',
    text: 'COPY lib /app\nCOPY ["lib", "/x"]',
    found: ['lib', 'lib'],
  },
  { from: '/r/docker/Dockerfile', goal: '/r/app.py', text: 'ADD app.py \\\n  /', found: ['app.py'] },
  { from: '/r/package.json', goal: '/r/run.js', text: '{ "start": "node run.js" }', found: ['run.js'] },
  { from: make, goal: '/r/lib/run', text: '.PHONY: run\nrun: x\n\trun', found: [] },
])('$from: $text', (one) => {
  expect(leading(one)).toEqual(one.found);
});

const lib = { from: '/r/CMakeLists.txt', goal: '/r/lib/' };

it.each<Case>([
  { ...lib, text: 'add_subdirectory(lib)', found: ['lib'] },
  { ...lib, text: 'include_directories(\n  src lib)', found: ['lib'] },
  { ...lib, text: 'target_include_directories(lib PUBLIC lib)', found: ['lib'] },
  { ...lib, text: 'add_library(lib x.c)\ninstall(TARGETS x DESTINATION lib)', found: [] },
  { ...lib, text: 'install(DIRECTORY lib DESTINATION lib)', found: ['lib'] },
  { ...lib, from: '/r/a/CMakeLists.txt', text: 'add_subdirectory(lib)', found: [] },
  { ...lib, from: '/r/Makefile.am', text: 'SUBDIRS = src \\\n  lib\nlib:\n', found: ['lib'] },
  {
    ...lib,
    from: '/r/Makefile',
    text: 'lib: x\n\t$(MAKE) -C lib\n\tcd lib && make lib',
    found: ['lib', 'lib'],
  },
  { ...lib, from: '/r/meson.build', text: "subdir('lib')\nlibrary('lib', 'x.c')", found: ['lib'] },
])('the folder in $from: $text', (one) => {
  expect(leading(one)).toEqual(one.found);
});

it.each(['core.c ', 'add_subdirectory(core ', 'SUBDIRS = core \\\n', 'COPY core.c \\\n', '$(A)/core.c '])(
  'reads a huge list of %j in time',
  (part) => {
    const text = part.repeat(50_000 / part.length);
    // A quadratic search would take longer than a test may.
    for (const from of [cmake, make, '/r/lib/Dockerfile'])
      expect(pathMentions(from, text, ['core']).length).toBeGreaterThan(0);
  },
);
