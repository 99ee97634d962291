/** What a page about languages tells beside the definitions and the proofs. */
export interface LanguageNotes {
  /** The name of the page's file. */
  readonly page: string;
  readonly title: string;
  /** The ids of the servers, the preferred one first. */
  readonly servers: readonly string[];
  /** What works without any set-up, and from which files lspan or the server knows it. */
  readonly found: readonly string[];
  readonly doubts: readonly DoubtNote[];
}

/** What an answer or an error may say, as it is printed, with `…` for what varies. */
interface DoubtNote {
  readonly says: string;
  readonly do: string;
}

const trust = {
  says: 'The user has not trusted this folder.',
  do: '`lspan trust` in the folder, if you would also build it: the server runs code of the repository.',
};

/** One entry a page, the most frequent languages first. */
export const languageNotes: readonly LanguageNotes[] = [
  {
    page: 'typescript',
    title: 'TypeScript and JavaScript',
    servers: ['typescript', 'typescript-language-server', 'vtsls', 'deno', 'eslint', 'oxlint', 'biome'],
    found: [
      'Nothing has to be installed: TypeScript 7 and typescript-language-server come with lspan.',
      'Every `tsconfig.json` and `jsconfig.json`, also behind `references`; a search opens each project that mentions the name. Files of no project are opened one by one.',
      'Packages of a workspace that are not built: their sources are found behind the names of the packages.',
      'Deno serves the folders below a `deno.json`.',
      'ESLint, Oxlint and Biome add their problems, where they are installed and configured. ESLint and Oxlint are programs of the repository, and need trust.',
    ],
    doubts: [
      {
        says: '… more projects, or files outside any project, are not loaded in …',
        do: 'Start lspan in a part of the workspace (`--workspace DIR`): more than 128 projects mention the name.',
      },
      {
        says: '… cannot be resolved: this is the import, not the definition.',
        do: 'Install the packages of the repository (`npm ci`). lspan notices, and starts the server anew.',
      },
      { says: 'deno does not lint: that runs plugins.', do: trust.do },
      trust,
    ],
  },
  {
    page: 'python',
    title: 'Python',
    servers: ['pyright', 'basedpyright', 'pylsp'],
    found: [
      'The packages of `.venv`, `venv` and the active environment (`VIRTUAL_ENV`), without running their interpreter.',
      '`pyrightconfig.json` and `pyproject.toml`, which pyright and basedpyright read.',
      'Packages that are installed later: lspan notices.',
      'The packages of a repository (sources in `src` beside each manifest, or beside it): pyright and basedpyright find the sources of one from another, installed or not, where nothing else in the repository can be meant by the names in them.',
    ],
    doubts: [
      {
        says: 'Problems are missing: pylsp needs pyflakes. Install `python3-pyflakes`, or `pipx inject python-lsp-server pyflakes`.',
        do: 'What it says; or `lspan install pyright`, which is preferred.',
      },
    ],
  },
  {
    page: 'go',
    title: 'Go',
    servers: ['gopls'],
    found: [
      '`go.mod` and `go.work`, also below the root: each module is a folder of the server.',
      'Modules in the module cache and `vendor`. Neither a module nor a toolchain is fetched (`GOPROXY=off`, `GOTOOLCHAIN=local`).',
      'A fresh clone: modules that nobody has fetched are empty for the server, and the modules of the workspace are joined.',
    ],
    doubts: [
      {
        says: 'Not in the module cache: … Run `go mod download`.',
        do: 'What it says. Until then the names of these modules are unknown; everything else is answered.',
      },
      {
        says: 'Uses in other modules are missing: no go.work joins them. `go work init` and `go work use -r .` write one.',
        do: 'What it says. The file need not be committed.',
      },
      {
        says: 'it is in no package built here',
        do: 'Build tags or another platform leave the file out; ask about the others.',
      },
    ],
  },
  {
    page: 'rust',
    title: 'Rust',
    servers: ['rust-analyzer'],
    found: [
      'Every `Cargo.toml` and `rust-project.json`; the toolchain in `~/.rustup`, and the sources of its library.',
      'Without trust neither build scripts nor macros are run, and no cargo inside the repository. `cargo check` is never run.',
      'A fresh clone with a `Cargo.lock`: crates that nobody has fetched are empty for the server, those of the workspace know each other. Features that are on by default are on.',
    ],
    doubts: [
      {
        says: 'Not fetched: … Run `cargo fetch`.',
        do: 'What it says. Until then the names of these crates are unknown; everything else is answered.',
      },
      {
        says: 'Errors that only the compiler finds (borrows, trait bounds) are missing. Run cargo check.',
        do: '`cargo check`. This doubt stands in every answer about problems.',
      },
      {
        says: 'Code generated by build scripts and macros is unknown.',
        do: '`lspan trust` in the folder, if you would also build it.',
      },
      {
        says: 'No Cargo.toml was found, so no crate is loaded.',
        do: 'Give `--workspace` the folder with the crate.',
      },
    ],
  },
  {
    page: 'c',
    title: 'C, C++, Objective-C and CUDA',
    servers: ['clangd', 'ccls'],
    found: [
      '`compile_commands.json` in the root and in its build folders (`build`, `build-*`, `cmake-build-*`, `out`, `builddir` …), `compile_flags.txt`.',
      'Without a database, lspan writes one outside of the tree, so that clangd reads all sources and not only open ones: each with the flags of the nearest `compile_flags.txt`, or else with guesses.',
      'The index stays outside of the tree, except beside a database below the root.',
    ],
    doubts: [
      {
        says: '… guesses how files are compiled: there is no …. CMake, Meson and `bear -- make` write one.',
        do: '`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -B build`, or what it says.',
      },
      {
        says: '… guesses how files are compiled: … lists files of another place. Make it again here.',
        do: 'The same: the file was made in a container, or before the folder was moved.',
      },
      trust,
    ],
  },
  {
    page: 'jvm',
    title: 'Java and Kotlin',
    servers: ['jdtls', 'kotlin-lsp', 'kotlin-language-server'],
    found: ['Gradle and Maven projects, once the folder is trusted: the servers run the build to know them.'],
    doubts: [trust],
  },
  {
    page: 'csharp',
    title: 'C#',
    servers: ['csharp-ls'],
    found: ['The first solution that it finds, or the projects, once the folder is trusted: MSBuild is run.'],
    doubts: [trust],
  },
  {
    page: 'php',
    title: 'PHP',
    servers: ['intelephense'],
    found: [
      'All PHP files of the folder, and what Composer installs. What needs a licence of Intelephense (rename, implementations) is not offered.',
    ],
    doubts: [],
  },
  {
    page: 'ruby',
    title: 'Ruby',
    servers: ['ruby-lsp'],
    found: ['The `Gemfile`, once the folder is trusted: the server starts through Bundler.'],
    doubts: [trust],
  },
  {
    page: 'vue-svelte',
    title: 'Vue and Svelte',
    servers: ['vue', 'vue-typescript', 'svelte'],
    found: [
      'Vue needs both servers, which `lspan install vue` installs; lspan passes their questions from one to the other.',
      'The components of a project are known to TypeScript files too: a search from either finds the other.',
    ],
    doubts: [
      {
        says: 'Uses in templates are missing: Vue is not installed in this folder. Install its packages.',
        do: '`npm ci` in the folder.',
      },
      {
        says: 'Components are missing: @vue/typescript-plugin is not installed with lspan.',
        do: '`lspan install vue`',
      },
      { says: 'Uses in markup newer than Svelte 4 may be missing.', do: trust.do },
      trust,
    ],
  },
  {
    page: 'web',
    title: 'HTML, CSS, Less and Sass',
    servers: ['vscode-html-language-server', 'vscode-css-language-server', 'some-sass-language-server'],
    found: [
      'Nothing is configured. Sass is searched over all files of the workspace, the others one file at a time.',
    ],
    doubts: [
      {
        says: 'Only the file itself was searched; search the text of the others.',
        do: 'A text search for the class or the name.',
      },
    ],
  },
  {
    page: 'data',
    title: 'JSON, YAML, TOML, Prisma, Terraform and Dockerfiles',
    servers: [
      'vscode-json-language-server',
      'yaml-language-server',
      'taplo',
      'prisma-language-server',
      'terraform-ls',
      'dockerfile-language-server',
    ],
    found: ['Schemas that are files. None is fetched from a network.'],
    doubts: [{ says: '… is not run: the schema may be incomplete.', do: trust.do }, trust],
  },
  {
    page: 'shell',
    title: 'Bash',
    servers: ['bash-language-server'],
    found: [
      'Scripts by extension and usual names; definitions along `source`. No script of the repository is run.',
    ],
    doubts: [
      {
        says: 'Nothing was checked: shellcheck, which checks scripts, is not in PATH. Install it.',
        do: '`apt install shellcheck`, `brew install shellcheck`',
      },
    ],
  },
  {
    page: 'fortran',
    title: 'Fortran',
    servers: ['fortls'],
    found: ['All Fortran files of the folder.'],
    doubts: [],
  },
  {
    page: 'functional',
    title: 'Haskell, OCaml and Elixir',
    servers: ['haskell-language-server', 'ocamllsp', 'elixir-ls'],
    found: [
      'Cabal, Stack, dune and Mix projects, once the folder is trusted.',
      'OCaml: what `dune build` has left; without a build, one file at a time.',
    ],
    doubts: [trust],
  },
  {
    page: 'others',
    title: 'Swift, Dart, Zig and Lua',
    servers: ['sourcekit-lsp', 'dart', 'zls', 'lua-language-server'],
    found: [
      '`Package.swift`, `pubspec.yaml` and `build.zig`, once the folder is trusted. Lua needs no trust.',
    ],
    doubts: [trust],
  },
  {
    page: 'text',
    title: 'Markdown, LaTeX and BibTeX',
    servers: ['marksman', 'texlab'],
    found: ['Headings, links, labels and citations of all files. Nothing is built.'],
    doubts: [],
  },
];
