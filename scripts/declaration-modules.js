// Reads the declarations that the compiler has written, module by module, as far as they are asked for.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';

/** Where things are declared. A place is a name in a file, or in the package that it is imported `from`. */
export class DeclarationModules {
  #modules = new Map();

  /** What a module exports: the places by name. */
  exportsOf(file) {
    const { exported, stars } = this.#read(file);
    return new Map([...exported, ...stars.flatMap((star) => [...this.exportsOf(star)])]);
  }

  /** Where something is declared that a module names, wherever that has it from. */
  find(place) {
    if (place.from !== undefined) return place;
    const { own, imported } = this.#read(place.file);
    if (own.has(place.name)) return place;
    const next = imported.get(place.name) ?? this.exportsOf(place.file).get(place.name);
    if (!next) throw new Error(`${place.file} declares no ${place.name}.`);
    return this.find(next);
  }

  /** The statements that declare something, and whether a name means anything in their module. */
  declarationOf({ file, name }) {
    const { source, own, imported } = this.#read(file);
    return { source, statements: own.get(name), isKnown: (text) => own.has(text) || imported.has(text) };
  }

  #read(file) {
    const known = this.#modules.get(file);
    if (known) return known;
    const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
    const module = { source, own: new Map(), imported: new Map(), exported: new Map(), stars: [] };
    this.#modules.set(file, module);
    for (const statement of source.statements) {
      if (ts.isImportDeclaration(statement)) noteImport(statement, file, module);
      else if (ts.isExportDeclaration(statement)) noteExport(statement, file, module);
      else noteDeclaration(statement, file, module);
    }
    return module;
  }
}

function noteImport({ importClause, moduleSpecifier }, file, { imported }) {
  for (const one of importClause?.namedBindings?.elements ?? [])
    imported.set(one.name.text, placeOf(file, moduleSpecifier, nameIn(one)));
}

function noteExport({ exportClause, moduleSpecifier }, file, { exported, stars }) {
  if (!exportClause) stars.push(placeOf(file, moduleSpecifier).file);
  for (const one of exportClause?.elements ?? [])
    exported.set(one.name.text, placeOf(file, moduleSpecifier, nameIn(one)));
}

function noteDeclaration(statement, file, { own, exported }) {
  for (const name of declaredNames(statement)) {
    own.set(name, [...(own.get(name) ?? []), statement]);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      exported.set(name, { file, name });
  }
}

function declaredNames(statement) {
  if (!ts.isVariableStatement(statement)) return statement.name ? [statement.name.text] : [];
  return statement.declarationList.declarations.map(({ name }) => name.text);
}

const nameIn = ({ propertyName, name }) => (propertyName ?? name).text;

function placeOf(file, specifier, name) {
  if (!specifier) return { file, name };
  if (!specifier.text.startsWith('.')) return { from: specifier.text, name };
  return { file: path.resolve(path.dirname(file), specifier.text.replace(/\.ts$/, '.d.ts')), name };
}
