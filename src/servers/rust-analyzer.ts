import { join } from 'node:path';
import type { ProjectFacts, ServerDefinition, Service } from './definition.ts';
import { hasProject, linkedProjects } from './projects/rust-projects.ts';
import {
  libraryFolder,
  librarySources,
  toolchainEnvironment,
  toolchainRoot,
} from './projects/rust-toolchain.ts';
import { field, languageAnswers } from './traits.ts';

const allButFormat: readonly Service[] = [
  ...languageAnswers,
  ...(['moves', 'actions', 'declaration', 'implementations', 'types', 'completions', 'hints'] as const),
];

/** rust-analyzer: Rust. Without trust it runs neither build scripts nor macros, and no cargo inside the repository. */
export const rustAnalyzer: ServerDefinition = {
  id: 'rust-analyzer',
  extensions: { rs: 'rust' },
  program: {
    // rustup's proxy fails if its toolchain lacks the server, and obeys the toolchain of the repository.
    sources: [
      { kind: 'home', folder: '.rustup/toolchains/*/bin', name: 'rust-analyzer' },
      { kind: 'path', name: 'rust-analyzer', proxy: 'rustup' },
    ],
    args: [],
    rootEnv: toolchainEnvironment,
  },
  handshake: {
    initializationOptions: behaviour,
    settings: (facts, program) => ({ 'rust-analyzer': behaviour(facts, program) }),
    clientCapabilities: { experimental: { serverStatusNotification: true } },
  },
  ready: {
    kind: 'notification',
    method: 'experimental/serverStatus',
    ready: (params) => field(params, 'quiescent') === true,
    trouble: complaint,
  },
  doubts: (facts, service) => [
    ...(service === 'diagnostics' ? [{ kind: 'server_unavailable' as const, detail: notCompiled }] : []),
    ...(hasProject(facts) ? [] : [{ kind: 'project_not_loaded' as const, detail: noProject }]),
    ...(facts.trusted ? [] : [{ kind: 'not_trusted' as const, detail: withheld }]),
  ],
  trust: {
    boundTo: [
      ...['**/Cargo.toml', '**/Cargo.lock', '**/build.rs', '**/.cargo/config', '**/.cargo/config.toml'],
      ...['**/rust-toolchain', '**/rust-toolchain.toml', '**/rust-analyzer.toml'],
      ...['**/rust-project.json', '**/.rust-project.json'],
    ],
    ...(process.platform === 'win32'
      ? { runs: 'cargo with the configuration' }
      : { runs: 'the formatter named in rust-analyzer.toml', answersWithout: allButFormat }),
  },
  files: {
    // It gets its list of projects at the start, and answers from the old ones while it reloads them.
    restartsOn: ['Cargo.toml', 'rust-project.json', '.rust-project.json'],
    watchAlso: ['Cargo.lock'],
    libraryRoots: (program, facts) => libraries(facts, program),
  },
  projects: { markers: ['Cargo.toml', 'Cargo.lock', 'rust-project.json'] },
  sync: {
    // It reads created and changed files some time after the notification, and answers as before until then.
    opensCreated: true,
    opensChanged: true,
  },
  disk: {
    configFiles: [
      '.cargo/config{,.toml}',
      'rust-toolchain{,.toml}',
      '{,.}rustfmt.toml',
      'rust-analyzer.toml',
      'build.rs',
    ],
  },
  search: {
    // Without the `#` it finds only types.
    symbolQuery: (query) => `${query}#`,
    symbolCap: 128,
  },
  install: 'Install it with `rustup component add rust-analyzer rust-src`, or with the package manager.',
};

const notCompiled =
  'cargo check does not run, so errors that only the compiler finds (borrows, trait bounds) are missing. Run it to be sure.';
const withheld =
  'Build scripts, procedural macros and the cargo configuration are not used, so code that they generate is unknown.';

const noProject = 'No Cargo.toml was found, so no crate is loaded.';

/** `cargo check` is off, since its diagnostics arrive at any time: only rust-analyzer's own are used. */
function behaviour(facts: ProjectFacts, program: string): object {
  const { trusted } = facts;
  const root = toolchainRoot(facts, program);
  return {
    linkedProjects: linkedProjects(facts),
    cargo: {
      // Given a sysroot, it neither runs rustc in the repository to find one nor has rustup fetch the sources.
      sysroot: root ?? null,
      sysrootSrc: librarySources(facts, root) ?? null,
      buildScripts: { enable: trusted },
      targetDir: facts.cache('rust-target'),
      extraEnv: { CARGO_NET_OFFLINE: 'true' },
    },
    procMacro: { enable: trusted },
    checkOnSave: false,
    cachePriming: { enable: false },
  };
}

function libraries(facts: ProjectFacts, program: string): string[] {
  const { CARGO_HOME, HOME = '' } = facts.environment;
  const cargo = CARGO_HOME || join(HOME, '.cargo');
  const root = toolchainRoot(facts, program);
  const links = librarySources(facts, root);
  return [
    ...(links === undefined ? [] : [links]),
    ...(root === undefined ? [] : [libraryFolder(root)]),
    join(cargo, 'registry', 'src'),
    join(cargo, 'git/checkouts'),
  ];
}

function complaint(params: unknown): string | undefined {
  const message = field(params, 'message');
  return field(params, 'health') !== 'ok' && typeof message === 'string' ? message : undefined;
}
