/** Returns the LSP language id for an extension that no built-in definition maps. */
export function languageId(extension: string): string {
  return Object.hasOwn(languageIds, extension) ? (languageIds[extension] ?? extension) : extension;
}

/** Only extensions that differ from their language id, named as in the LSP specification or by their servers. */
const languageIds: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  bats: 'shellscript',
  bib: 'bibtex',
  cc: 'cpp',
  cjs: 'javascript',
  clj: 'clojure',
  coffee: 'coffeescript',
  cs: 'csharp',
  cts: 'typescript',
  cxx: 'cpp',
  erl: 'erlang',
  ex: 'elixir',
  exs: 'elixir',
  fs: 'fsharp',
  gemspec: 'ruby',
  h: 'c',
  hh: 'cpp',
  hpp: 'cpp',
  hrl: 'erlang',
  hs: 'haskell',
  htm: 'html',
  hxx: 'cpp',
  jl: 'julia',
  js: 'javascript',
  jsx: 'javascriptreact',
  ksh: 'shellscript',
  kt: 'kotlin',
  kts: 'kotlin',
  m: 'objective-c',
  md: 'markdown',
  mjs: 'javascript',
  ml: 'ocaml',
  mli: 'ocaml',
  mm: 'objective-cpp',
  mts: 'typescript',
  phtml: 'php',
  pl: 'perl',
  pm: 'perl',
  ps1: 'powershell',
  py: 'python',
  pyi: 'python',
  rake: 'ruby',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  sty: 'latex',
  tex: 'latex',
  tf: 'terraform',
  tfvars: 'terraform-vars',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zon: 'zig',
  zsh: 'shellscript',
};

/**
 * Returns the key by which a definition selects files: an extension without its dot, a file name (`go.mod`), or the
 * first part of one (`Dockerfile.*`). `undefined` if the text is none of these.
 */
export function extensionName(given: string): string | undefined {
  const name = given.startsWith('.') ? given.slice(1) : given;
  return /^[\p{L}\p{N}_+#-]+(\.[\p{L}\p{N}_+#-]+)*(\.\*)?$/u.test(name) ? name : undefined;
}
