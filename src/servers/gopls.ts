import { join } from 'node:path';
import type { Doubt } from '../core/doubts.ts';
import type { ProjectFacts, ServerDefinition, Service } from './definition.ts';
import type { FileVerdict } from './diagnostics-facts.ts';
import { hasFetchedMore, moduleCache, modulesOfFreshClone, workspaceOf } from './projects/go-modules.ts';
import { goExcludes } from './projects/go-projects.ts';
import { field } from './traits.ts';

/** gopls: Go. It runs `go` and, for packages that use cgo, the C compiler; nothing that the repository brings. */
export const gopls: ServerDefinition = {
  id: 'gopls',
  extensions: { go: 'go', 'go.mod': 'go.mod', 'go.work': 'go.work', 'go.sum': 'go.sum' },
  program: {
    sources: [
      { kind: 'path', name: 'gopls' },
      { kind: 'home', folder: 'go/bin', name: 'gopls' },
    ],
    args: [],
    env: {
      // It fetches neither a toolchain nor a module, and does not run git for the version stamp of a binary.
      GOTOOLCHAIN: 'local',
      GOPROXY: 'off',
      GOFLAGS: '-buildvcs=false',
    },
    rootEnv: joinedModules,
  },
  // It reads some of them in the handshake only, others in both.
  handshake: { initializationOptions: () => settings, settings: () => ({ gopls: settings }) },
  ready: {
    kind: 'progress',
    title: /^Setting up workspace/,
    // That modules are nested is said below; gopls says it only once a file of one was opened.
    trouble: /^Error loading workspace(?!: You have opened a nested module)/,
    reworded: inOwnWords,
  },
  doubts: notFetched,
  confinement: {
    // The compiled standard library that others use is not for it to change.
    env: ({ cache }) => ({ GOCACHE: cache('go-build') }),
    reads: (facts) => [moduleCache(facts), join(facts.environment.HOME ?? '', '.config/go/env')],
  },
  files: {
    watchAlso: ['go.work', 'go.work.sum'],
    restartsOn: ['go.mod', 'go.work'],
    libraryRoots: (_program, facts) => [...goRoots(facts), moduleCache(facts)],
  },
  projects: {
    // It sees a module or go.work below the root only as a workspace folder, and searches from one at a time.
    workspaceFolders: {
      markers: ['go.mod'],
      unless: ['go.work'],
      areJoined: (facts) => modulesOfFreshClone(facts) !== undefined,
      doubtIfSeveral:
        'Uses in other modules are missing: no go.work joins them. `go work init` and `go work use -r .` write one.',
    },
    markers: ['go.mod', 'go.work', 'go.sum'],
    isOutdated: hasFetchedMore,
  },
  // An implementation need not mention its interface, and gopls does not search packages newer than its start.
  sync: { opensCreated: true },
  disk: { configFiles: ['go.work.sum', 'vendor/modules.txt'] },
  search: { excludes: goExcludes, symbolCap: 100 },
  // The other commands run tests and generators, fetch modules, or open a browser.
  edits: {
    commands: ['gopls.apply_fix', 'gopls.add_import', 'gopls.change_signature', 'gopls.extract_to_new_file'],
  },
  // It may publish what it found when it loaded the project, or nothing, after a file of it was opened.
  diagnostics: {
    verdict: readVerdict,
    tellsVersions: true,
    checking: /^diagnosing /,
    missingPackages: { BrokenImport: /^could not import (\S+\.\S+)/ },
    mixesFolders: {
      unlessCommand: 'gopls.diagnose_files',
      doubt:
        'gopls before 0.15 mixes up the problems of several modules: use a newer one, or join them in a go.work.',
    },
  },
  // For a name that it cannot resolve, the message contains the name and does not match.
  quirks: {
    noSymbolMessage: /^no (identifier|object) found$/,
    // What cgo makes of a package is in Go's build cache, where each file is named by its hash.
    generatedFiles: /[\\/]([0-9a-f]{2})[\\/]\1[0-9a-f]{62}-d$|[\\/]_cgo_gotypes\.go$/,
  },
  install: 'Install it with `go install golang.org/x/tools/gopls@latest`, or the package `gopls`.',
};

/** All hints are off by default. */
const hints = {
  assignVariableTypes: true,
  compositeLiteralFields: true,
  compositeLiteralTypes: true,
  constantValues: true,
  functionTypeParameters: true,
  parameterNames: true,
  rangeVariableTypes: true,
};

const settings = {
  symbolMatcher: 'CaseInsensitive',
  hints,
  // It tells when it begins and ends to check.
  verboseWorkDoneProgress: true,
  // It waits so long for more changes before it checks the packages that depend on a changed one.
  diagnosticsDelay: '10ms',
};

/** Where modules were not fetched, Go loads nothing: it is given empty ones in their place. */
function joinedModules(facts: ProjectFacts): Readonly<Record<string, string>> {
  const modules = modulesOfFreshClone(facts);
  return modules ? { GOWORK: join(facts.cache('go-work', workspaceOf(modules)), 'go.work') } : {};
}

/** Go names a go.work that it was given, which nobody knows, and what an older Go says of a `go` line helps nobody. */
function inOwnWords(error: string): string {
  const [, version, form] = /invalid go version '([\w.]+)': must match format ([\w.]+)/.exec(error) ?? [];
  if (version !== undefined)
    return `A go.mod or go.work says "go ${version}", but this Go reads only the form "go ${form}". Use Go 1.21 or later.`;
  return error.replaceAll(/[^\s"']*[\\/]go-work[\\/]go\.work(?::\d+)?/g, 'the modules joined');
}

/** What is missing in an answer for want of a module. Each mention of a name is asked about, so a search needs no doubt. */
function notFetched(facts: ProjectFacts, service: Service): readonly Doubt[] {
  if (!withoutProof.has(service)) return [];
  const [first, ...others] = modulesOfFreshClone(facts)?.missing ?? [];
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const detail = `Not in the module cache: ${first}${more}. Run \`go mod download\`.`;
  return [{ kind: 'project_not_loaded', detail, lasting: true }];
}

const withoutProof: ReadonlySet<Service> = new Set(['diagnostics', 'implementations', 'types']);

/** It reports an unchecked file by a diagnostic of that file, which exists only while the file is open. */
function readVerdict(_method: string, params: unknown): FileVerdict | undefined {
  const [uri, problems] = [field(params, 'uri'), field(params, 'diagnostics')];
  if (typeof uri !== 'string' || !Array.isArray(problems)) return undefined;
  const isOrphan = problems.some((one) => orphaned.test(String(field(one, 'message'))));
  return isOrphan ? { uri, failure: 'it is in no package built here' } : { uri };
}

const orphaned =
  /^(No packages found for open file|No active builds contain|This file is within module|This file may be excluded)/;

function goRoots({ environment: { GOROOT, HOME = '' }, list }: ProjectFacts): string[] {
  const named = (folder: string) =>
    list(folder)
      .filter((name) => /^go(-?\d[\d.]*|lang)?$/.test(name))
      .map((name) => join(folder, name));
  const usual = [
    '/usr/local/go',
    '/opt/homebrew/opt/go/libexec',
    '/usr/local/opt/go/libexec',
    join(HOME, 'sdk'),
  ];
  return [...(GOROOT ? [GOROOT] : []), ...named('/usr/lib'), ...named('/usr/share'), ...usual];
}
