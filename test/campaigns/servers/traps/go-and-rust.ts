import type { Bait, ServerTrap } from '../trap.ts';

const goSource = (imports: string, body = '') =>
  `package main\n\n${imports}\n\nfunc greet(name string) string { return name }\n\nfunc main() { _ = greet("you"); ${body} }\n`;
const rustSource = 'pub fn greet(name: u32) -> u32 { name }\npub fn hello() -> u32 { greet(1) }\n';
const cargo = (more: string) => `[package]\nname = "trap"\nversion = "0.1.0"\nedition = "2021"\n${more}`;
const go = ['go'] as const;
const rust = ['rust'] as const;

/** Keys of a cargo configuration that name a program, each by itself. */
const cargoPrograms: Readonly<Record<string, (program: string) => string>> = {
  rustc: (program) => `[build]\nrustc = "${program}"\n`,
  'rustc-wrapper': (program) => `[build]\nrustc-wrapper = "${program}"\n`,
  'workspace-wrapper': (program) => `[build]\nrustc-workspace-wrapper = "${program}"\n`,
  rustdoc: (program) => `[build]\nrustdoc = "${program}"\n`,
  linker: (program) => `[target.'cfg(all())']\nlinker = "${program}"\nrunner = "${program}"\n`,
  environment: (program) =>
    `[env]\nRUSTC = { value = "${program}", force = true }\nRUSTC_WRAPPER = { value = "${program}", force = true }\nPATH = { value = "/nowhere", force = true }\n`,
  'credential-provider': (program) => `[registry]\nglobal-credential-providers = ["${program}"]\n`,
  alias: (program) => `[alias]\nmetadata = ["run", "--", "${program}"]\n[net]\ngit-fetch-with-cli = true\n`,
};

/** What gopls and rust-analyzer, and the tools that they run, read of a repository. */
export const goAndRustTraps: readonly ServerTrap[] = [
  {
    name: 'go-toolchain',
    families: go,
    files: () => ({ 'go.mod': 'module example.com/trap\n\ngo 1.99.0\n\ntoolchain go1.99.1\n' }),
  },
  {
    name: 'go-workspace',
    families: go,
    files: () => ({ 'go.work': 'go 1.99.0\n\ntoolchain go1.99.1\n\nuse .\n' }),
  },
  {
    name: 'go-environment-file',
    families: go,
    files: ({ root, shell }) => ({
      'go.env': `GOFLAGS=-toolexec=${root}/evil\nCC=${root}/evil\nGOTOOLCHAIN=path\nGOPACKAGESDRIVER=${root}/evil\n`,
      evil: shell,
    }),
    environment: ({ root }) => ({ GOENV: `${root}/go.env` }),
  },
  {
    name: 'go-tool-wrapper',
    families: go,
    files: ({ shell }) => ({ evil: shell }),
    environment: ({ root }) => ({ GOFLAGS: `-toolexec=${root}/evil` }),
  },
  {
    name: 'go-packages-driver',
    families: go,
    files: ({ shell }) => ({ 'tools/gopackagesdriver': shell, gopackagesdriver: shell }),
    environment: ({ root }) => ({ GOPACKAGESDRIVER: `${root}/tools/gopackagesdriver` }),
  },
  {
    name: 'cgo-plugin',
    families: go,
    libraries: ['evil.so'],
    files: ({ root }) => ({
      'a.go': goSource(
        `// #cgo CFLAGS: -fplugin=${root}/evil.so\n// int one(void) { return 1; }\nimport "C"`,
        'C.one()',
      ),
    }),
  },
  {
    name: 'cgo-output',
    families: go,
    files: ({ outside }) => ({
      'a.go': goSource(
        `// #cgo CFLAGS: -MD -MF ${outside}/dependencies -fdump-tree-all=${outside}/tree -dumpbase ${outside}/base\n// int one(void) { return 1; }\nimport "C"`,
        'C.one()',
      ),
    }),
  },
  {
    name: 'cgo-include',
    families: go,
    files: ({ outside }) => ({
      'a.go': goSource(`// #include "${outside}/mine.h"\nimport "C"`, '_ = C.mine'),
    }),
    outside: { 'mine.h': 'static int mine;\n' },
  },
  {
    name: 'cgo-package-configuration',
    families: go,
    files: ({ root, shell }) => ({
      'a.go': goSource('// #cgo pkg-config: evil\nimport "C"'),
      'evil.pc': `Name: evil\nVersion: 1\nDescription: x\nCflags: -fplugin=${root}/evil.so\n`,
      'bin/pkg-config': shell,
    }),
    environment: ({ root }) => ({ PKG_CONFIG_PATH: root, PKG_CONFIG: `${root}/bin/pkg-config` }),
  },
  {
    name: 'go-compiler-of-the-environment',
    families: go,
    files: ({ shell }) => ({
      'a.go': goSource('// int one(void) { return 1; }\nimport "C"', 'C.one()'),
      evil: shell,
    }),
    environment: ({ root }) => ({ CC: `${root}/evil`, CXX: `${root}/evil`, AR: `${root}/evil` }),
  },
  {
    name: 'go-generate',
    families: go,
    files: ({ command }) => ({ 'a.go': `//go:generate sh -c "${command}"\n${goSource('')}` }),
  },
  {
    name: 'go-modules-at-an-address',
    families: go,
    files: ({ url }) => ({
      'go.mod': `module example.com/trap\n\ngo 1.19\n\nrequire ${new URL(url).host}/evil v1.0.0\n`,
      'a.go': goSource(`import _ "${new URL(url).host}/evil"`),
    }),
    environment: ({ url }) => ({ GOPROXY: url, GONOSUMDB: '*', GOFLAGS: '-mod=mod', GOINSECURE: '*' }),
  },
  {
    name: 'go-modules-by-git',
    families: go,
    files: ({ root, shell }) => ({
      'go.mod': 'module example.com/trap\n\ngo 1.19\n\nrequire example.com/evil.git v1.0.0\n',
      'a.go': goSource('import _ "example.com/evil.git"'),
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': `[url "ext::${root}/evil"]\n\tinsteadOf = https://example.com/\n[core]\n\tfsmonitor = ${root}/evil\n`,
      evil: shell,
    }),
    environment: () => ({ GOPROXY: 'direct', GOPRIVATE: '*', GOVCS: '*:all' }),
  },
  {
    name: 'go-replace-by-folder-of-the-user',
    families: go,
    outside: { 'module/go.mod': 'module example.com/mine\n\ngo 1.19\n', 'module/mine.go': 'package mine\n' },
    files: ({ outside }) => ({
      'go.mod': `module example.com/trap\n\ngo 1.19\n\nrequire example.com/mine v0.0.0\n\nreplace example.com/mine => ${outside}/module\n`,
      'a.go': goSource('import _ "example.com/mine"'),
    }),
  },
  {
    name: 'go-vendor',
    families: go,
    files: () => ({
      'vendor/modules.txt': '# example.com/x v1.0.0\nexample.com/x\n',
      'vendor/example.com/x/x.go': 'package x\n',
    }),
  },
  {
    name: 'go-sum-missing',
    families: go,
    files: () => ({
      'go.mod': 'module example.com/trap\n\nrequire golang.org/x/text v0.3.0\n',
      'a.go': goSource('import _ "golang.org/x/text/language"'),
    }),
  },

  {
    name: 'cargo-build-script',
    families: rust,
    files: ({ rust: code }) => ({
      'Cargo.toml': cargo('build = "build.rs"\n'),
      'build.rs': `fn main() { ${code} }\n`,
    }),
  },
  {
    name: 'cargo-macro',
    families: rust,
    files: ({ rust: code }) => ({
      'Cargo.toml': cargo('[dependencies]\nevil = { path = "evil" }\n'),
      'src/lib.rs': `${rustSource}evil::evil! { pub struct Made; }\n`,
      'evil/Cargo.toml':
        '[package]\nname = "evil"\nversion = "0.1.0"\nedition = "2021"\n[lib]\nproc-macro = true\n',
      'evil/src/lib.rs': `use proc_macro::TokenStream;\n#[proc_macro]\npub fn evil(input: TokenStream) -> TokenStream { ${code} input }\n`,
    }),
  },
  ...Object.entries(cargoPrograms).map(([name, text]) => ({
    name: `cargo-${name}`,
    families: rust,
    files: ({ root, shell }: Bait) => ({ '.cargo/config.toml': text(`${root}/evil`), evil: shell }),
  })),
  {
    name: 'cargo-configuration-without-ending',
    families: rust,
    files: ({ root, shell }) => ({
      '.cargo/config': `[build]\nrustc-wrapper = "${root}/evil"\n`,
      evil: shell,
    }),
  },
  {
    name: 'cargo-home-in-the-repository',
    families: rust,
    files: ({ root, shell }) => ({
      'home/config.toml': `[build]\nrustc-wrapper = "${root}/evil"\n`,
      'home/bin/cargo': shell,
      evil: shell,
    }),
    environment: ({ root }) => ({ CARGO_HOME: `${root}/home` }),
  },
  {
    name: 'cargo-registry',
    families: rust,
    files: ({ url }) => ({
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "evil"\n[source.evil]\nregistry = "sparse+${url}"\n[net]\noffline = false\n`,
      'Cargo.toml': cargo('[dependencies]\nserde = "1"\n'),
    }),
  },
  {
    name: 'cargo-git-dependency',
    families: rust,
    files: ({ url }) => ({ 'Cargo.toml': cargo(`[dependencies]\nevil = { git = "${url}evil.git" }\n`) }),
  },
  {
    name: 'cargo-member-of-the-user',
    families: rust,
    outside: {
      'mine/Cargo.toml': '[package]\nname = "mine"\nversion = "0.1.0"\nedition = "2021"\n',
      'mine/src/lib.rs': 'pub fn mine() {}\n',
    },
    files: ({ outside }) => ({
      'Cargo.toml': cargo(`[dependencies]\nmine = { path = "${outside}/mine" }\n`),
    }),
  },
  {
    name: 'rust-toolchain',
    families: rust,
    files: ({ root, shell }) => ({
      'rust-toolchain.toml': `[toolchain]\npath = "${root}/toolchain"\n`,
      ...Object.fromEntries(
        ['rustc', 'cargo', 'rust-analyzer', 'rustfmt', 'rustdoc'].map((name) => [
          `toolchain/bin/${name}`,
          shell,
        ]),
      ),
    }),
  },
  {
    name: 'rust-toolchain-to-install',
    families: rust,
    files: () => ({ 'rust-toolchain': 'nightly-2020-01-01\n' }),
  },
  {
    name: 'rust-project',
    families: rust,
    files: ({ shell }) => ({
      'rust-project.json':
        '{ "sysroot": "evil", "crates": [{ "root_module": "src/lib.rs", "edition": "2021", "deps": [], "proc_macro_dylib_path": "evil.so" }] }',
      'evil/bin/rustc': shell,
      'evil/bin/cargo': shell,
      'evil/libexec/rust-analyzer-proc-macro-srv': shell,
    }),
    libraries: ['evil.so'],
  },
  {
    name: 'rust-analyzer-file',
    families: rust,
    files: ({ root, shell }) => ({
      'rust-analyzer.toml': `[check]\noverrideCommand = ["${root}/evil"]\n[rustfmt]\noverrideCommand = ["${root}/evil"]\n[cargo.buildScripts]\nenable = true\noverrideCommand = ["${root}/evil"]\n[procMacro]\nenable = true\nserver = "${root}/evil"\n`,
      evil: shell,
    }),
  },
  {
    name: 'rust-formatter',
    families: rust,
    files: ({ outside }) => ({
      'rustfmt.toml': `emit_mode = "Files"\nmake_backup = true\nignore = ["${outside}"]\n`,
      '.rustfmt.toml': 'make_backup = true\n',
    }),
  },
  {
    name: 'rust-include',
    families: rust,
    outside: { 'mine.rs': 'pub fn mine() {}\n' },
    files: ({ outside }) => ({
      'src/lib.rs': `${rustSource}include!("${outside}/mine.rs");\npub const MINE: &str = include_str!("${outside}/mine.rs");\n#[path = "${outside}/mine.rs"]\nmod mine;\n`,
    }),
  },
];
