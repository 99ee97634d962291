import { dirname, join } from 'node:path';
import type { CacheEntry, ProjectFacts } from '../definition.ts';

/**
 * The environment in which rust-analyzer finds one toolchain, and neither the one that the repository names nor the
 * network. Without trust, cargo is run outside the repository: its `.cargo/config.toml` names programs and flags that
 * would be run with the first question about the packages.
 */
export function toolchainEnvironment(facts: ProjectFacts, program: string): Record<string, string> {
  const root = toolchainRoot(facts, program);
  const toolchain = facts.trusted && root !== undefined ? root : outsideToolchain(facts, root);
  return {
    // Where rustup's own `cargo` comes first, this says what it runs.
    RUSTUP_TOOLCHAIN: toolchain,
    CARGO: join(toolchain, 'bin', 'cargo'),
    ...(root === undefined ? {} : { RUSTC: join(root, 'bin', 'rustc') }),
    CARGO_NET_OFFLINE: 'true',
  };
}

/** The toolchain beside the server, or else the first that is there. */
export function toolchainRoot(facts: ProjectFacts, program: string): string | undefined {
  const { environment, exists, list } = facts;
  const rustup = join(environment.RUSTUP_HOME || join(environment.HOME ?? '', '.rustup'), 'toolchains');
  const installed = [...list(rustup)].reverse().map((name) => join(rustup, name));
  const roots = [dirname(dirname(program)), ...installed, '/usr', '/usr/local', '/opt/homebrew'];
  return roots.find((root) => ['cargo', 'rustc'].every((name) => exists(join(root, 'bin', name))));
}

/** The sources of the standard library, as a folder of links; `undefined` where they are not installed. */
export function librarySources(facts: ProjectFacts, root: string | undefined): string | undefined {
  const library = root && libraryFolder(root);
  if (library === undefined || !facts.exists(join(library, 'core'))) return undefined;
  // Without the Cargo.toml among them: cargo would look for their dependencies in the network.
  const crates = facts.list(library).filter((name) => facts.exists(join(library, name, 'src')));
  const links = crates.map((name): [string, CacheEntry] => [name, { link: join(library, name) }]);
  return facts.cache('rust-library', Object.fromEntries(links));
}

/** Where a toolchain keeps the sources of the standard library. */
export function libraryFolder(root: string): string {
  return join(root, 'lib', 'rustlib', 'src', 'rust', 'library');
}

function outsideToolchain(facts: ProjectFacts, root: string | undefined): string {
  const run = root === undefined ? 'exit 127' : `cd / && exec ${quoted(join(root, 'bin', 'cargo'))} "$@"`;
  return facts.cache('rust-toolchain', {
    'bin/cargo': { program: `#!/bin/sh\n${run}\n` },
    ...(root === undefined ? {} : { 'bin/rustc': { link: join(root, 'bin', 'rustc') } }),
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
