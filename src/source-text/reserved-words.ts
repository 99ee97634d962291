/** True if a name is known to be reserved in the language of a file. */
export function isReserved(file: string, name: string): boolean {
  const extension = extensionOf(file);
  return languages.some(({ extensions, reserved }) => extensions.has(extension) && reserved.has(name));
}

/** True if names in the language of a file may contain more than letters, digits and `_`: only its server knows. */
export function hasOddNames(file: string): boolean {
  return odd.has(extensionOf(file));
}

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

const odd = words(
  'css scss sass less html htm vue svelte astro rb erb clj cljs cljc el lisp rkt scm ml mli hs nix md tex sh bash zsh fish ps1 yaml yml json toml tf sql xml f f90 cob',
);

const cLike =
  'break case const continue default do else enum for goto if return sizeof static struct switch void volatile while';

const languages: readonly {
  readonly extensions: ReadonlySet<string>;
  readonly reserved: ReadonlySet<string>;
}[] = [
  {
    extensions: words('ts tsx mts cts js jsx mjs cjs'),
    reserved: words(
      'break case catch class const continue debugger default delete do else enum export extends false finally for ' +
        'function if import in instanceof new null return super switch this throw true try typeof var void while with',
    ),
  },
  {
    extensions: words('py pyi pyw'),
    reserved: words(
      'False None True and as assert async await break class continue def del elif else except finally for from global ' +
        'if import in is lambda nonlocal not or pass raise return try while with yield',
    ),
  },
  {
    extensions: words('go'),
    reserved: words(
      'break case chan const continue default defer else fallthrough for func go goto if import interface map package ' +
        'range return select struct switch type var',
    ),
  },
  {
    extensions: words('rs'),
    reserved: words(
      'Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod ' +
        'move mut pub ref return self static struct super trait true type unsafe use where while',
    ),
  },
  {
    extensions: words('java kt kts'),
    reserved: words(
      'break class continue do else false for if interface null package return super this throw true try while',
    ),
  },
  { extensions: words('c h'), reserved: words(cLike) },
  {
    extensions: words('cc cpp cxx hh hpp hxx'),
    reserved: words(
      `${cLike} catch class delete false friend namespace new operator private protected public template this throw true try typename using virtual`,
    ),
  },
  {
    extensions: words('cs'),
    reserved: words(
      `${cLike.replace(' struct ', ' struct class ')} base catch false finally foreach in interface internal is lock namespace new null out override params private protected public readonly ref sealed this throw true try using virtual`,
    ),
  },
  {
    extensions: words('php'),
    reserved: words(
      'break case catch class clone const continue default do echo else elseif extends final for foreach function if implements interface namespace new private protected public return static switch throw trait try use while',
    ),
  },
];

function extensionOf(file: string): string {
  return /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
}
