import { dirname, sep } from 'node:path';
import type { Call } from '../../core/call.ts';
import { isC } from '../../source-text/c-files.ts';
import { importedModules, isPython, isScript } from '../../source-text/imports.ts';
import type { Document } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { documentAt } from '../show/document-at.ts';
import { mayUseByImport } from './embedded-imports.ts';
import type { ImportFollower } from './import-follower.ts';
import type { SearchedSymbol } from './meaning/resolving.ts';
import { UnservedC } from './unserved-c.ts';

/** Returns whether a file that no server reads for a symbol may use it: it holds code that reaches the symbol's own. */
type MayUse = (document: Document) => boolean | Promise<boolean>;

/** Returns the test for the files that no server reads for a symbol, by the language that it is defined in. */
export function mayUseUnserved(
  { context, follower, call }: { context: ToolContext; follower: ImportFollower; call: Call },
  symbol: SearchedSymbol,
): MayUse {
  const { path: definedIn } = symbol.place;
  const { name } = symbol;
  if (isScript(definedIn)) return (document) => mayUseByImport(follower, document, name);
  if (isC(definedIn)) {
    const unserved = new UnservedC(context, symbol, call);
    return (document) => unserved.mayUse(document);
  }
  if (isPython(definedIn)) return (document) => importsPython(follower, document);
  if (/\.go$/.test(definedIn)) return (document) => isExportedToC(context, document, definedIn, name);
  if (jvm.test(definedIn)) return (document) => importsJvm(context, document);
  if (/\.rb$/.test(definedIn))
    return ({ path, text }) => /\.(?:erb|rhtml)$/.test(path) && tagWith(name).test(text);
  return () => false;
}

/** Code of languages that import modules of Python as Python does. */
const likePython = /\.(?:pyx|pxd|pxi|pyw|smk)$|\/(?:Snakefile|SConstruct|SConscript|wscript)$/;

async function importsPython(follower: ImportFollower, { path, text }: Document): Promise<boolean> {
  if (!likePython.test(path)) return false;
  const packages = await follower.packages();
  const asPython = `${path}.py`;
  const modules = importedModules(asPython, text.replace(/\bcimport\b/g, 'import'));
  return modules.some((module) => packages.sources(module, asPython).length > 0);
}

/** C names what cgo exports. */
async function isExportedToC(
  context: ToolContext,
  { path }: Document,
  definedIn: string,
  name: string,
): Promise<boolean> {
  if (!isC(path)) return false;
  const own = await documentAt(context, definedIn);
  return own !== undefined && new RegExp(`^//export ${name}\\b`, 'm').test(own.text);
}

const jvm = /\.(?:java|kts?|scala|sc|groovy|gradle|jspx?|jspf|tagx?)$/;

/** Returns whether a text belongs to a package of the workspace, or imports from one. */
function importsJvm({ workspace }: ToolContext, { path, text }: Document): boolean {
  if (!jvm.test(path)) return false;
  const modules = Array.from(text.matchAll(importOfJvm), ([, module = '']) => module);
  const folders = [...new Set(modules.flatMap(foldersOf))];
  if (folders.length === 0) return false;
  for (const file of workspace.files()) {
    if (file === path || !jvm.test(file)) continue;
    const folder = dirname(file);
    if (folders.some((own) => folder.endsWith(own))) return true;
  }
  return false;
}

/** Returns the folders of the package that an import may mean: its last word may be a function. */
function foldersOf(module: string): readonly string[] {
  const segments = module.split('.').filter((segment) => segment !== '');
  const type = segments.findIndex((segment) => /^\p{Lu}/u.test(segment));
  const packages = type < 0 ? [segments, segments.slice(0, -1)] : [segments.slice(0, type)];
  return packages.filter((own) => own.length > 0).map((own) => `${sep}${own.join(sep)}`);
}

const importOfJvm =
  /\b(?:import|package)(?:\s+static\b|\s*=\s*["'])?\s*([\p{ID_Start}][\p{ID_Continue}.]*)/gu;

/** Matches a tag of a template of Ruby with a name in its code. */
function tagWith(name: string): RegExp {
  return new RegExp(`<%(?:(?!%>)[\\s\\S])*?(?<![\\w])${name.replace(/\W/g, '\\$&')}(?![\\w])`);
}
