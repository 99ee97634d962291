// A language of words within VS Code: `function NAME` declares a word, `ERROR_NAME` is a problem.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Condition } from '../../backends/cases/backend-cases.ts';

const language = 'words';

/** Registers providers that behave as a condition says; returns how to remove them. */
export function registerWords(folder: string, condition: Condition): () => void {
  const files = async () => {
    const found = await Promise.all(listed(folder).map((uri) => vscode.workspace.openTextDocument(uri)));
    return found.flatMap(wordsOf);
  };
  const named = (document: vscode.TextDocument, position: vscode.Position) =>
    wordsOf(document).find(({ range }) => covers(range, position))?.name;
  let asked = 0;
  const definitions = async (document: vscode.TextDocument, position: vscode.Position) => {
    asked += 1;
    if (condition === 'silent') return new Promise<vscode.Location[]>(() => {});
    // A language that loads finds nothing from time to time.
    if (condition === 'loading' && asked % 2 === 1) return [];
    const name = named(document, position);
    return (await files()).filter((word) => word.isDeclared && word.name === name).map(locationOf);
  };
  const ends: vscode.Disposable[] = [
    vscode.languages.registerReferenceProvider(language, {
      provideReferences: async (document, position) => {
        const name = named(document, position);
        return (await files()).filter((word) => word.name === name).map(locationOf);
      },
    }),
    vscode.languages.registerDocumentSymbolProvider(language, {
      provideDocumentSymbols: (document) =>
        wordsOf(document)
          .filter(({ isDeclared }) => isDeclared)
          .map(({ name, range }) => new vscode.DocumentSymbol(name, '', 11, range, range)),
    }),
    ...checker(condition),
  ];
  if (condition !== 'unable')
    ends.push(vscode.languages.registerDefinitionProvider(language, { provideDefinition: definitions }));
  return () => {
    for (const end of ends) end.dispose();
  };
}

/** Publishes the problems of every text; once, or never, if the condition says so. */
function checker(condition: Condition): readonly vscode.Disposable[] {
  const problems = vscode.languages.createDiagnosticCollection(language);
  const checked = new Set<string>();
  const check = (document: vscode.TextDocument) => {
    const name = document.uri.toString();
    const isLeftOut = condition === 'checks_never' || (condition === 'checks_once' && checked.has(name));
    if (document.languageId !== language || isLeftOut) return;
    checked.add(name);
    const found = wordsOf(document).filter(({ name: word }) => word.startsWith('ERROR_'));
    problems.set(
      document.uri,
      found.map(({ name: word, range }) => new vscode.Diagnostic(range, word, 0)),
    );
  };
  for (const document of vscode.workspace.textDocuments) check(document);
  return [
    problems,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
  ];
}

function listed(folder: string): readonly vscode.Uri[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.txt'));
  return names.map((name) => vscode.Uri.file(path.join(folder, name)));
}

interface Word {
  readonly name: string;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly isDeclared: boolean;
}

function wordsOf(document: vscode.TextDocument): readonly Word[] {
  const { uri } = document;
  return document
    .getText()
    .split('\n')
    .flatMap((line, number) =>
      [...line.matchAll(/[\p{L}_]+/gu)].map(({ 0: name, index }) => ({
        name,
        uri,
        range: new vscode.Range(
          new vscode.Position(number, index),
          new vscode.Position(number, index + name.length),
        ),
        isDeclared: line.slice(0, index).endsWith('function '),
      })),
    );
}

function locationOf({ uri, range }: Word): vscode.Location {
  return new vscode.Location(uri, range);
}

function covers({ start, end }: vscode.Range, { line, character }: vscode.Position): boolean {
  return start.line === line && start.character <= character && character <= end.character;
}
