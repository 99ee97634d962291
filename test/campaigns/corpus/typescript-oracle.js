// What the compiler's own API says about TypeScript with every file loaded and every import resolved.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';
import { placesInText } from './code-words.js';
import { sourcesIn } from './split-typescript.js';

const asBundler = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};
const asNode = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowJs: true,
  checkJs: true,
  maxNodeModuleJsDepth: 2,
};

export class TypeScriptOracle {
  #service;
  #folder;
  #files;
  isScript;

  constructor({ resolved, paths, isScript = false }) {
    this.#folder = resolved;
    this.isScript = isScript;
    this.#files = sourcesIn(resolved, isScript ? /\.[cm]?[jt]sx?$/ : undefined);
    const options = {
      strict: true,
      target: ts.ScriptTarget.ESNext,
      ...(isScript ? asNode : asBundler),
      jsx: ts.JsxEmit.Preserve,
      skipLibCheck: true,
      types: [],
      ...(paths
        ? {
            paths: Object.fromEntries(
              Object.entries(paths).map(([name, list]) => [
                name,
                list.map((one) => path.join(resolved, one)),
              ]),
            ),
          }
        : {}),
    };
    const texts = new Map();
    this.#service = ts.createLanguageService({
      getScriptFileNames: () => this.#files,
      getScriptVersion: () => '1',
      getScriptSnapshot: (file) => {
        if (!texts.has(file))
          texts.set(
            file,
            ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
          );
        return texts.get(file);
      },
      getCurrentDirectory: () => resolved,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    });
  }

  /** Names that are declared at the top of a file, and members of what is declared there. */
  symbols() {
    const found = [];
    for (const file of this.#files) {
      const source = this.#source(file);
      const visit = (node, depth) => {
        const name = nameOf(node);
        if (name !== undefined && ts.isIdentifier(name) && name.text !== 'exports' && isDeclared(node))
          found.push(this.#symbol(source, name, node));
        if (depth < 4) ts.forEachChild(node, (child) => visit(child, ts.isBlock(node) ? 9 : depth + 1));
      };
      visit(source, 0);
    }
    return found;
  }

  #symbol(source, name, node) {
    const start = name.getStart(source);
    return {
      ...this.#place(source, start),
      offset: start,
      name: name.text,
      kind: ts.SyntaxKind[node.kind],
      exported: this.isScript || (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0,
    };
  }

  /** All places of a symbol in the project; those that call it or make it have `call`. */
  async references(symbol) {
    const file = path.join(this.#folder, symbol.file);
    const groups = this.#service.findReferences(file, symbol.offset) ?? [];
    const places = new Map();
    for (const { fileName, textSpan } of groups.flatMap(({ references }) => references)) {
      if (!this.#isOwn(fileName)) continue;
      const source = this.#source(fileName);
      const isComment = tokenAt(source, textSpan.start).getStart(source) !== textSpan.start;
      const text = source.text.slice(textSpan.start, textSpan.start + textSpan.length);
      const place = this.#place(source, textSpan.start);
      places.set(key(place), { ...place, text, isComment, call: isCall(source, textSpan.start) });
    }
    for (const place of this.#quotedUses(file, symbol)) places.set(key(place), place);
    return places;
  }

  /** The strings that name a member in an index or an argument of a type, which the search for references leaves out. */
  #quotedUses(declaring, { name, offset }) {
    const checker = this.#service.getProgram().getTypeChecker();
    const isDeclaration = ({ declarations = [] }) =>
      declarations.some((node) => {
        const own = ts.getNameOfDeclaration(node);
        return own?.getSourceFile().fileName === declaring && own.getStart() === offset;
      });
    const isUse = (holder) => {
      const member = checker.getPropertyOfType(
        checker.getApparentType(checker.getTypeAtLocation(holder)),
        name,
      );
      return member !== undefined && checker.getRootSymbols(member).some(isDeclaration);
    };
    const found = [];
    for (const file of this.#files) {
      const source = this.#source(file);
      if (!source.text.includes(name)) continue;
      const visit = (node) => {
        const holder = ts.isStringLiteralLike(node) && node.text === name ? holderOf(node) : undefined;
        if (holder && isUse(holder))
          found.push({ ...this.#place(source, node.getStart(source) + 1), text: name, call: false });
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    return found;
  }

  /** The compiler lists the uses under other names with the others. */
  async aliasUses() {
    return new Map();
  }

  /** The places in code where a name stands. */
  async mentions(name) {
    const places = new Map();
    for (const file of this.#files) {
      const source = this.#source(file);
      if (!source.text.includes(name)) continue;
      const visit = (node) => {
        if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.text === name) {
          const place = this.#place(source, node.getStart(source));
          places.set(key(place), { ...place, text: name, isImport: isInImport(node) });
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    return places;
  }

  async comments(name) {
    const inCode = await this.mentions(name);
    const places = new Map();
    for (const file of this.#files) {
      for (const { line, character } of placesInText(this.#source(file).text, name)) {
        const place = {
          file: path.relative(this.#folder, file),
          line: line + 1,
          character: character + 1,
          text: name,
        };
        if (!inCode.has(key(place))) places.set(key(place), place);
      }
    }
    return places;
  }

  /** The places in code where a name stands and nothing is known of what it means. */
  async unknown(name) {
    const mentions = await this.mentions(name);
    return new Map([...mentions].filter(([, place]) => this.#definitions(place).length === 0));
  }

  #definitions(place) {
    const source = this.#source(path.join(this.#folder, place.file));
    const offset = source.getPositionOfLineAndCharacter(place.line - 1, place.character - 1);
    return this.#service.getDefinitionAtPosition(source.fileName, offset) ?? [];
  }

  async definitions(place) {
    return this.#definitions(place)
      .filter(({ fileName }) => this.#isOwn(fileName))
      .map(({ fileName, textSpan }) => key(this.#place(this.#source(fileName), textSpan.start)));
  }

  /** The file and the code of every problem. */
  problems() {
    return this.#files.flatMap((file) =>
      [...this.#service.getSyntacticDiagnostics(file), ...this.#service.getSemanticDiagnostics(file)].map(
        ({ code }) => `${path.relative(this.#folder, file)} ${withoutSuggestion.get(code) ?? code}`,
      ),
    );
  }

  async stop() {
    this.#service.dispose();
  }

  #isOwn(file) {
    return file.startsWith(`${this.#folder}/`) && !file.includes('/node_modules/');
  }

  #source(file) {
    return this.#service.getProgram().getSourceFile(file);
  }

  #place(source, start) {
    const { line, character } = source.getLineAndCharacterOfPosition(start);
    return { file: path.relative(this.#folder, source.fileName), line: line + 1, character: character + 1 };
  }
}

/** Problems that name another name have their own codes, and the same code without that name. */
const withoutSuggestion = new Map([
  [2551, 2339],
  [2552, 2304],
]);

/** The value or the type of which a string names a member. */
function holderOf(node) {
  if (ts.isElementAccessExpression(node.parent) && node.parent.argumentExpression === node)
    return node.parent.expression;
  let type = ts.isLiteralTypeNode(node.parent) ? node.parent : undefined;
  while (type && ts.isUnionTypeNode(type.parent)) type = type.parent;
  if (!type) return undefined;
  if (ts.isIndexedAccessTypeNode(type.parent) && type.parent.indexType === type)
    return type.parent.objectType;
  const [first, ...others] = ts.isTypeReferenceNode(type.parent) ? (type.parent.typeArguments ?? []) : [];
  return others.includes(type) && /^(?:Pick|Omit)$/.test(type.parent.typeName.getText()) ? first : undefined;
}

export const key = ({ file, line, character }) => `${file}:${line}:${character}`;

/** The name that a node declares; in scripts an assignment declares members. */
const nameOf = (node) =>
  ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left) ? node.left.name : node.name;

function isDeclared(node) {
  return (
    isDeclaredByScript(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isMethodSignature(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isPropertySignature(node)
  );
}

/** `exports.a = …`, `A.prototype.b = …`, `this.c = …` and methods of an object. */
const isDeclaredByScript = (node) =>
  ts.isSourceFileJS(node.getSourceFile()) &&
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
  ts.isPropertyAccessExpression(node.left) &&
  /^(?:exports|module\.exports|this|\w+(?:\.prototype)?)$/.test(node.left.expression.getText());

/** Whether what stands at an offset is called, or made by `new`. */
function isCall(source, offset) {
  let node = tokenAt(source, offset);
  while (node?.parent && ts.isPropertyAccessExpression(node.parent) && node.parent.name === node)
    node = node.parent;
  // `(record as any)(1)` is a call too.
  while (node?.parent && isAround(node.parent)) node = node.parent;
  const parent = node?.parent;
  return (
    parent !== undefined &&
    (ts.isCallExpression(parent) || ts.isNewExpression(parent)) &&
    parent.expression === node
  );
}

const isAround = (node) =>
  ts.isParenthesizedExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node) ||
  ts.isNonNullExpression(node);

function isInImport(node) {
  for (let outer = node; outer !== undefined; outer = outer.parent)
    if (ts.isImportDeclaration(outer) || ts.isExportDeclaration(outer)) return true;
  return false;
}

function tokenAt(node, offset) {
  let found = node;
  for (;;) {
    let inner;
    ts.forEachChild(found, (child) => {
      if (child.pos <= offset && offset < child.end) inner ??= child;
    });
    if (inner === undefined) return found;
    found = inner;
  }
}
