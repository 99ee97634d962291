// Makes one module of a declaration and of all that it names, wherever the compiler has written that.
import ts from 'typescript-5';
import { DeclarationModules } from './declaration-modules.js';

/**
 * The text of one module with what an entry exports, and what that names: a type that is named can be imported too,
 * wherever it comes from. A package that is bundled is
 * nothing that a user of the library has, so that a declaration that names one is refused.
 */
export function flatten(entry) {
  const modules = new DeclarationModules();
  const exported = [...modules.exportsOf(entry)].map(([name, place]) => [name, modules.find(place)]);
  const names = new Names(exported);
  const pieces = new Map();
  for (const [, place] of exported) collect(place, modules, names, pieces);
  const all = [...pieces.values()];
  // For `Symbol.asyncDispose`, which a project may not have asked for.
  const head = [
    '/// <reference lib="esnext.disposable" />',
    ...new Set(all.flatMap((piece) => piece.outside).sort()),
  ];
  return `${[head.join('\n'), ...all.map((piece) => piece.text), 'export {};'].join('\n\n')}\n`;
}

/** Under which name each declaration stands in the one module: that of its export, else its own. */
class Names {
  #names = new Map();
  #exported;

  constructor(exported) {
    this.#exported = new Set(exported.map(([, place]) => keyOf(place)));
    for (const [name, place] of exported) this.#take(name, place);
  }

  of(place) {
    return this.#names.get(keyOf(place)) ?? this.#take(place.name, place);
  }

  isExported(place) {
    return this.#exported.has(keyOf(place));
  }

  #take(name, place) {
    const other = [...this.#names].find(([, one]) => one === name);
    if (other) throw new Error(`Two declarations would be named ${name}: ${other[0]} and ${keyOf(place)}.`);
    this.#names.set(keyOf(place), name);
    return name;
  }
}

const keyOf = ({ file, name }) => `${file}#${name}`;

/** Adds a declaration, and then those that it names. */
function collect(place, modules, names, pieces) {
  if (pieces.has(keyOf(place))) return;
  const { source, statements, isKnown } = modules.declarationOf(place);
  const references = statements.flatMap(referencesIn).filter(({ text }) => isKnown(text));
  const places = new Map(
    references.map(({ text }) => [text, modules.find({ file: place.file, name: text })]),
  );
  const ours = [...places].filter(([, one]) => one.from === undefined);
  const outside = [...places].filter(([, one]) => one.from !== undefined).map(importOf);
  const newNames = new Map(ours.map(([text, one]) => [text, names.of(one)]));
  const isExported = names.isExported(place) || statements.every(isType);
  const renamed = { ...place, newName: names.of(place), isExported };
  const text = statements.map((one) => print(one, source, references, newNames, renamed)).join('\n');
  pieces.set(keyOf(place), { outside, text });
  for (const [, one] of ours) collect(one, modules, names, pieces);
}

const isType = (statement) => ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);

function importOf([local, { from, name }]) {
  if (!from.startsWith('node:'))
    throw new Error(`The declarations name ${name} of ${from}, which users do not have.`);
  return `import type { ${local === name ? name : `${name} as ${local}`} } from '${from}';`;
}

/** The identifiers in a declaration by which it names others. */
function referencesIn(declaration) {
  const found = [];
  const visit = (node) => {
    if (ts.isImportTypeNode(node))
      throw new Error(`A type is only inferred: ${node.getText()}. Write it out.`);
    if (ts.isTypeReferenceNode(node)) found.push(leftmost(node.typeName));
    if (ts.isTypeQueryNode(node)) found.push(leftmost(node.exprName));
    if (ts.isExpressionWithTypeArguments(node)) found.push(leftmost(node.expression));
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return found.filter(ts.isIdentifier);
}

function leftmost(name) {
  return ts.isQualifiedName(name) ? leftmost(name.left) : name;
}

/** A declaration with its comment, under the names that things have in the one module. */
function print(statement, source, references, newNames, { name, newName, isExported }) {
  const isOwn = (node) => node.text === name && node.parent === statement;
  const inside = references.filter((one) => one.pos >= statement.pos && one.end <= statement.end);
  const changes = inside.map((one) => [one, newNames.get(one.text) ?? one.text]);
  if (statement.name && isOwn(statement.name)) changes.push([statement.name, newName]);
  const start = statement.getStart();
  let text = source.text.slice(start, statement.end);
  for (const [node, by] of changes.sort(([a], [b]) => b.pos - a.pos))
    text = text.slice(0, node.getStart() - start) + by + text.slice(node.end - start);
  const comments = ts.getLeadingCommentRanges(source.text, statement.pos) ?? [];
  const comment = comments.slice(-1).map(({ pos, end }) => `${source.text.slice(pos, end)}\n`);
  return `${comment.join('')}${isExported ? 'export ' : ''}${text.replace(/^export /, '')}`;
}
