import { basename, extname } from 'node:path';

/** True if code of two files may use each other's names: that of a component of Vue uses those of TypeScript. */
export function areOfOneFamily(file: string, other: string): boolean {
  return familyOf(file) === familyOf(other);
}

/** True if what a file says may depend on another that it names: on one of its languages, or on data that it reads in. */
export function mayDependOn(file: string, other: string): boolean {
  if (areOfOneFamily(file, other)) return true;
  const family = familyOf(file);
  // `#include` reads in files of any name.
  if (family === 'c') return !families.has(endingOf(other));
  return family === 'script' && endingOf(other) === 'json';
}

/** Returns one file of each kind: what is true of the languages of those is true of all. */
export function oneOfEachKind(files: Iterable<string>): readonly string[] {
  const found = new Map<string, string>();
  for (const file of files) found.set(endingOf(file), file);
  return [...found.values()];
}

/** True for a file that says how the code around it is compiled, or which packages it has. */
export function isConfiguration(file: string): boolean {
  return configurations.test(basename(file));
}

/** True if the texts of a configuration differ in more than what a Python package runs, which no server reads. */
export function changesConfiguration(file: string, before = '', after = ''): boolean {
  if (!isConfiguration(file)) return false;
  if (!/^(?:pyproject\.toml|setup\.cfg)$/.test(basename(file))) return true;
  return before.replace(entryPoints, '') !== after.replace(entryPoints, '');
}

const entryPoints = /^\[[^\]\n]*(?:scripts|entry[-_]points|plugins)\b[^\n]*(?:\n(?!\[)[^\n]*)*/gm;

const configurations =
  /^(?:package\.json|[a-z]+config[^/]*\.json|pyproject\.toml|setup\.cfg|compile_commands\.json|compile_flags\.txt|\.clang[\w-]*|go\.(?:mod|work)|Cargo\.toml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|[^/]+\.(?:csproj|sln|props))$/;

function familyOf(file: string): string {
  const ending = endingOf(file);
  return families.get(ending) ?? ending;
}

function endingOf(file: string): string {
  return extname(file).slice(1).toLowerCase();
}

const families: ReadonlyMap<string, string> = new Map(
  Object.entries({
    script: 'ts mts cts tsx js mjs cjs jsx vue svelte astro',
    c: 'c h cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh m mm swift',
    python: 'py pyi pyx',
    jvm: 'java kt kts scala groovy gradle',
    dotnet: 'cs fs vb razor cshtml xaml',
    beam: 'ex exs heex eex erl hrl',
    go: 'go templ',
    ruby: 'rb rbs erb rake',
    php: 'php phtml',
    styles: 'css scss sass less',
    fortran: 'f for f77 f90 f95 f03 f08',
    perl: 'pl pm t',
    ocaml: 'ml mli',
    haskell: 'hs lhs',
    clojure: 'clj cljs cljc',
    terraform: 'tf tfvars',
    shell: 'sh bash',
  }).flatMap(([family, endings]) => endings.split(' ').map((ending) => [ending, family] as const)),
);
