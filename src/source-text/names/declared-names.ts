import type { Position } from '../../core/position.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';
import { isCommented } from '../keywords.ts';

/** A name that the text of a file declares. */
export interface DeclaredName {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly position: Position;
}

/**
 * Returns the names that a file declares by a keyword at the begin of a line. The text alone shows no members without a
 * keyword, and variables count only where they are not indented: it is what can be said before a server answers.
 */
export function declaredNames(
  file: string,
  text: string,
  isWanted: (name: string) => boolean,
): readonly DeclaredName[] {
  const language = languages.find(({ files }) => files.test(file));
  if (language === undefined) return [];
  const found: DeclaredName[] = [];
  for (const [number, line] of text.split('\n').entries()) {
    const { indent = '', keyword = '', before = '', name = '' } = declaration.exec(line)?.groups ?? {};
    const kind = language.kinds[keyword];
    if (kind === undefined || !isWanted(name) || isCommented(line, indent.length)) continue;
    if (indent !== '' && (kind === 'variable' || kind === 'constant')) continue;
    const position = { line: number, character: before.length };
    found.push({ name, kind: kind === 'function' && indent !== '' ? language.inner : kind, position });
  }
  return found;
}

const modifiers =
  'export default declare public private protected internal static abstract final async override unsafe inline virtual ' +
  'extern readonly sealed open data partial pub local case';

const declaration = new RegExp(
  `^(?<before>(?<indent>\\s*)(?:(?:${modifiers.replaceAll(' ', '|')})(?:\\([^)]*\\))?\\s+)*(?<keyword>[a-z]+)\\*?\\s+` +
    `(?:\\([^)]*\\)\\s*)?(?:self\\.)?)(?<name>[\\p{ID_Start}$_][\\p{ID_Continue}$]*)`,
  'u',
);

interface DeclaringLanguage {
  readonly files: RegExp;
  /** What each keyword declares. */
  readonly kinds: Readonly<Record<string, SymbolKind>>;
  /** What an indented function is. */
  readonly inner: SymbolKind;
}

const types = { class: 'class', interface: 'interface', enum: 'enum', struct: 'struct' } as const;

const languages: readonly DeclaringLanguage[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/,
    kinds: {
      ...types,
      function: 'function',
      namespace: 'namespace',
      module: 'module',
      type: 'class',
      const: 'constant',
      let: 'variable',
      var: 'variable',
    },
    inner: 'function',
  },
  { files: /\.pyi?$/, kinds: { class: 'class', def: 'function' }, inner: 'method' },
  { files: /\.rb$/, kinds: { class: 'class', module: 'module', def: 'function' }, inner: 'method' },
  {
    files: /\.go$/,
    kinds: { func: 'function', type: 'class', const: 'constant', var: 'variable' },
    inner: 'function',
  },
  {
    files: /\.rs$/,
    kinds: {
      ...types,
      fn: 'function',
      trait: 'interface',
      type: 'class',
      mod: 'module',
      const: 'constant',
      static: 'constant',
    },
    inner: 'method',
  },
  {
    files: /\.(?:java|kts?|cs|scala|swift|php|dart)$/,
    kinds: {
      ...types,
      ...{
        record: 'class',
        object: 'class',
        trait: 'interface',
        protocol: 'interface',
        namespace: 'namespace',
      },
      ...{ fun: 'function', func: 'function', function: 'function', def: 'function' },
    },
    inner: 'method',
  },
  {
    files: /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/,
    kinds: { ...types, namespace: 'namespace' },
    inner: 'method',
  },
  { files: /\.lua$/, kinds: { function: 'function' }, inner: 'function' },
];
