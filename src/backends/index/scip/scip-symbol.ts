import type { SymbolKind } from '../../../core/symbol-kinds.ts';

/** A symbol of SCIP, taken apart; one that is local to a document has no package. */
export interface ParsedSymbol {
  readonly manager: string;
  readonly package: string;
  readonly version: string;
  readonly descriptors: readonly Descriptor[];
}

/** One step of the path to a symbol. */
interface Descriptor {
  readonly name: string;
  readonly kind: 'namespace' | 'type' | 'term' | 'method' | 'type_parameter' | 'parameter' | 'meta' | 'macro';
}

/** True for a symbol that means something in its own document only. */
export function isLocal(symbol: string): boolean {
  return symbol.startsWith('local ');
}

/** Takes a symbol apart: `scheme manager package version descriptors`; `undefined` if it is not of that form. */
export function parseSymbol(symbol: string): ParsedSymbol | undefined {
  const parts: string[] = [];
  let rest = symbol;
  while (parts.length < 4) {
    // Two blanks mean a blank within a part.
    const end = /^(?:[^ ]| {2})*(?= (?! ))/.exec(rest)?.[0];
    if (end === undefined) return undefined;
    parts.push(end.replaceAll('  ', ' '));
    rest = rest.slice(end.length + 1);
  }
  const [, manager = '', name = '', version = ''] = parts.map((part) => (part === '.' ? '' : part));
  const descriptors = parseDescriptors(rest);
  return descriptors && { manager, package: name, version, descriptors };
}

function parseDescriptors(text: string): readonly Descriptor[] | undefined {
  const found: Descriptor[] = [];
  const pattern = /(?:([[(])?(?:`((?:[^`]|``)*)`|([\p{L}\p{N}_+\-$]*)))(\]|\)(?!\.)|\([^)]*\)\.|[/#.:!])/uy;
  while (pattern.lastIndex < text.length) {
    const [, open, quoted, plain = '', close = ''] = pattern.exec(text) ?? [];
    const kind = open === '[' ? 'type_parameter' : open === '(' ? 'parameter' : suffixes[close.slice(-1)];
    if (kind === undefined) return undefined;
    const name = quoted?.replaceAll('``', '`') ?? plain;
    found.push({ name, kind: close.startsWith('(') && open === undefined ? 'method' : kind });
  }
  return found.length > 0 ? found : undefined;
}

const suffixes: Readonly<Record<string, Descriptor['kind']>> = {
  '/': 'namespace',
  '#': 'type',
  '.': 'term',
  ':': 'meta',
  '!': 'macro',
};

/**
 * Returns what symbols of several repositories have in common if they are the same: package manager, package and path,
 * without the version. A package is built from its sources: `src/cart.ts` of its own repository and `dist/cart.d.ts` of
 * those that use it are one. A symbol without a package is of its own repository only.
 */
export function joinText(
  symbol: string,
  repository: string,
  parsed: ParsedSymbol | undefined = parseSymbol(symbol),
): string {
  if (!parsed || parsed.package === '') return `${repository}\0${symbol}`;
  const files: string[] = [];
  let others = '';
  for (const { name, kind } of parsed.descriptors)
    if (kind === 'namespace') files.push(name);
    else others += `\0${kind} ${name}`;
  const last = files.at(-1);
  if (last !== undefined && sourceFile.test(last)) {
    files[files.length - 1] = bare(last);
    if (files.length > 1 && buildFolders.has(files[0] ?? '')) files.shift();
  }
  return `${parsed.manager}\0${parsed.package}\0${files.join('/')}${others}`;
}

const sourceFile = /\.[cm]?[jt]sx?$/;

const buildFolders: ReadonlySet<string> = new Set([
  'src',
  'dist',
  'lib',
  'build',
  'out',
  'es',
  'esm',
  'cjs',
  'types',
]);

function bare(file: string): string {
  return file.replace(/(\.d)?\.[cm]?[jt]sx?$/, '');
}

/** Returns the name of a symbol, and what contains it. */
export function symbolName(parsed: ParsedSymbol | undefined): {
  readonly name: string;
  readonly container: string | undefined;
} {
  const descriptors = parsed?.descriptors ?? [];
  const within = descriptors.slice(0, -1).filter(({ kind }) => kind === 'type' || kind === 'method');
  const last = descriptors.at(-1);
  const name = last === undefined ? '' : writtenName(last);
  const container = within.map((one) => one.name).join('.');
  return { name, container: container === '' ? undefined : container };
}

/** A module is called by its file; properties of objects are numbered, such as `deadline0:`. */
function writtenName({ name, kind }: Descriptor): string {
  if (kind === 'namespace') return bare(name.split('/').at(-1) ?? '');
  return kind === 'meta' ? name.replace(/\d+$/, '') : name;
}

/** Returns the kind of a symbol that its form tells, which is less than indexes may say. */
export function kindOf(parsed: ParsedSymbol | undefined): SymbolKind {
  const own = parsed?.descriptors.at(-1)?.kind ?? 'term';
  const isMember = parsed?.descriptors.at(-2)?.kind === 'type';
  if (own === 'method') return isMember ? 'method' : 'function';
  if (own === 'term') return isMember ? 'property' : 'variable';
  return kindsByForm[own];
}

const kindsByForm: Readonly<Record<Descriptor['kind'], SymbolKind>> = {
  namespace: 'module',
  type: 'class',
  term: 'variable',
  method: 'method',
  type_parameter: 'type_parameter',
  parameter: 'variable',
  meta: 'variable',
  macro: 'function',
};

/** Kinds as the protocol numbers them. */
export const numberedKinds: Readonly<Record<number, SymbolKind>> = {
  7: 'class',
  8: 'constant',
  9: 'constructor',
  11: 'enum',
  12: 'enum_member',
  13: 'event',
  15: 'field',
  17: 'function',
  21: 'interface',
  25: 'function',
  26: 'method',
  29: 'module',
  30: 'namespace',
  34: 'operator',
  35: 'package',
  41: 'property',
  49: 'struct',
  53: 'interface',
  54: 'class',
  55: 'class',
  58: 'type_parameter',
  61: 'variable',
};
