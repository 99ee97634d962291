import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript-5';

const root = path.resolve(import.meta.dirname, '../..');

/** One thing that a program can import, or that the declarations of such things need. */
export interface ApiItem {
  readonly name: string;
  readonly kind: 'value' | 'type' | 'inner';
  /** The comment above it, without its marks. */
  readonly about: string;
  /** The declaration without any comment, and with those of its fields. */
  readonly signature: string;
  readonly commented: string;
}

/** The entries of the package by the names under which they are imported, each with the module that it is. */
export function entries(): readonly { readonly name: string; readonly module: string }[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return Object.entries<{ readonly types?: string; readonly default?: string }>(exports).flatMap(
    ([subpath, { types, default: module }]) =>
      types && module ? [{ name: path.posix.join('lspan', subpath), module: path.join(root, module) }] : [],
  );
}

/** What the declarations of an entry hold, in their order. */
export function readApi(module: string): readonly ApiItem[] {
  const file = module.replace(/\.mjs$/, '.d.mts');
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.filter((statement) => !ts.isExportDeclaration(statement)).flatMap(itemOf);
}

function itemOf(statement: ts.Statement): ApiItem[] {
  const name = nameOf(statement);
  if (name === undefined) return [];
  const [comment] = ts.getJSDocCommentsAndTags(statement);
  return [
    {
      name,
      kind: kindOf(statement),
      about: plain(comment?.getText() ?? ''),
      signature: printer.printNode(ts.EmitHint.Unspecified, statement, statement.getSourceFile()),
      commented: statement.getText(),
    },
  ];
}

const printer = ts.createPrinter({ removeComments: true });

function kindOf(statement: ts.Statement): ApiItem['kind'] {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  if (isType) return 'type';
  return /^export /.test(statement.getText()) ? 'value' : 'inner';
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText();
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name?.text;
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return statement.name.text;
  return undefined;
}

function plain(comment: string): string {
  const lines = comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n');
  return lines
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}
