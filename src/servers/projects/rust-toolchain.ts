import { dirname, join } from 'node:path';
import type { CacheEntry, ProjectFacts } from '../definition.ts';

/**
 * Returns the environment that gives rust-analyzer one toolchain, never the one that the repository names, and
 * no network. Without trust, cargo runs outside the repository, whose `.cargo/config.toml` names programs and
 * flags that it would use at the first query about packages.
 */
export function toolchainEnvironment(facts: ProjectFacts, program: string): Record<string, string> {
  const root = toolchainRoot(facts, program);
  const toolchain = facts.trusted && root !== undefined ? root : outsideToolchain(facts, root);
  return {
    // If rustup's own `cargo` comes first in PATH, this decides what it runs.
    RUSTUP_TOOLCHAIN: toolchain,
    CARGO: join(toolchain, 'bin', 'cargo'),
    ...(root === undefined ? {} : { RUSTC: join(root, 'bin', 'rustc') }),
    CARGO_NET_OFFLINE: 'true',
    // Otherwise cargo writes what it learned of rustc into the folder `target` of the repository, or where that leads.
    CARGO_TARGET_DIR: facts.cache('rust-target'),
  };
}

/** Returns the toolchain next to the server, otherwise the first that is installed. */
export function toolchainRoot(facts: ProjectFacts, program: string): string | undefined {
  const { environment, exists, list } = facts;
  const rustup = join(environment.RUSTUP_HOME || join(environment.HOME ?? '', '.rustup'), 'toolchains');
  const installed = [...list(rustup)].reverse().map((name) => join(rustup, name));
  const roots = [dirname(dirname(program)), ...installed, '/usr', '/usr/local', '/opt/homebrew'];
  return roots.find((root) => ['cargo', 'rustc'].every((name) => exists(join(root, 'bin', name))));
}

/** Returns a folder of links to the standard library's sources; `undefined` if they are not installed. */
export function librarySources(facts: ProjectFacts, root: string | undefined): string | undefined {
  const library = root && libraryFolder(root);
  if (library === undefined || !facts.exists(join(library, 'core'))) return undefined;
  // Omits their Cargo.toml: cargo would look for their dependencies on the network.
  const crates = facts.list(library).filter((name) => facts.exists(join(library, name, 'src')));
  const links = crates.map((name): [string, CacheEntry] => [name, { link: join(library, name) }]);
  return facts.cache('rust-library', Object.fromEntries(links));
}

/** Returns the folder of the standard library's sources in a toolchain. */
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
