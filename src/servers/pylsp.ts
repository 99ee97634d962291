import { join } from 'node:path';
import type { ProjectFacts, ServerDefinition } from './definition.ts';
import type { FileVerdict } from './diagnostics-facts.ts';
import { environmentFiles, sitePackages } from './projects/python/python-environment.ts';
import { field } from './traits.ts';

const off = { enabled: false } as const;

/** pylsp: Python over jedi, where neither pyright nor basedpyright is installed. */
export const pylsp: ServerDefinition = {
  id: 'pylsp',
  group: 'python-types',
  rank: 5,
  extensions: { py: 'python', pyi: 'python' },
  program: {
    sources: [{ kind: 'path', name: 'pylsp' }],
    args: [],
    // jedi keeps parsed files there, and loads them again as objects of Python: other programs share none of them.
    rootEnv: ({ cache }) => ({ XDG_CACHE_HOME: cache('home') }),
  },
  handshake: {
    settings: (facts) => ({
      pylsp: {
        plugins: {
          jedi: { extra_paths: sitePackages(facts) },
          jedi_symbols: { include_import_symbols: false },
          // These load plugins or code that the repository's configuration names.
          flake8: off,
          pylint: off,
          pylsp_mypy: off,
          mypy: off,
          ruff: off,
          rope_autoimport: off,
          rope_completion: off,
          rope_rename: off,
          // Style messages would hide the problems.
          pycodestyle: off,
          pydocstyle: off,
          mccabe: off,
          preload: off,
        },
      },
    }),
  },
  answers: [
    'definition',
    'references',
    'hover',
    'outline',
    'diagnostics',
    'rename',
    'format',
    'completions',
    'signatures',
  ],
  ready: { kind: 'immediate' },
  doubts: (facts, service) =>
    service === 'diagnostics' && !hasLinter(facts) ? [{ kind: 'server_unavailable', detail: noLinter }] : [],
  files: {
    watchAlso: environmentFiles,
    restartsOn: environmentFiles,
    libraryRoots: (_program, facts) => [...systemPackages(facts.list), ...sitePackages(facts)],
  },
  disk: { imports: 'texts' },
  // jedi silently stops after it has read, or parsed, this many files.
  search: { fileCap: { read: 2_000, mentioning: 30 } },
  diagnostics: { checksFilesAlone: true, verdict: readVerdict },
  install: 'Install it with `pipx install python-lsp-server`, or the package `python3-pylsp`.',
};

/** pyflakes says so when Python fails to parse a text, which may be right: seen once, it passed when asked again. */
function readVerdict(_method: string, params: unknown): FileVerdict | undefined {
  const [uri, problems] = [field(params, 'uri'), field(params, 'diagnostics')];
  if (typeof uri !== 'string' || !Array.isArray(problems)) return undefined;
  const isFailed = problems.some(
    (one) => field(one, 'source') === 'pyflakes' && field(one, 'message') === 'problem decoding source',
  );
  return isFailed ? { uri, failure: 'pyflakes could not parse it', mayPass: true } : { uri };
}

const noLinter =
  'Problems are missing: pylsp needs pyflakes. Install `python3-pyflakes`, or `pipx inject python-lsp-server pyflakes`.';

function hasLinter({ list, exists, environment: { HOME = '' } }: ProjectFacts): boolean {
  const injected = systemPackages(list, [join(HOME, '.local/share/pipx/venvs/python-lsp-server/lib')]);
  return [...systemPackages(list), ...injected].some((folder) =>
    ['dist-packages', 'site-packages'].some((name) => exists(join(folder, name, 'pyflakes'))),
  );
}

/** Returns the library folders of the system's Python, which also contain jedi's stubs. */
function systemPackages(list: ProjectFacts['list'], folders = ['/usr/lib', '/usr/local/lib']): string[] {
  return folders.flatMap((folder) =>
    list(folder)
      .filter((name) => /^python3(\.\d+)?$/.test(name))
      .map((name) => join(folder, name)),
  );
}
