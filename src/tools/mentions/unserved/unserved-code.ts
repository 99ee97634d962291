import type { Call } from '../../../core/call.ts';
import { isC } from '../../../source-text/c-files.ts';
import { mayEmbedC } from '../../../source-text/embedded-c.ts';
import { importedModules, isPython, isScript } from '../../../source-text/imports.ts';
import { lexicalAt } from '../../../source-text/lexical.ts';
import { isShell, mayReadScript } from '../../../source-text/names/shell-names.ts';
import { codeOfNotebook, isNotebook } from '../../../source-text/notebooks.ts';
import { isJvm, JvmPackages } from '../../../source-text/packages/jvm-packages.ts';
import { languageOfText, mayBePython, mayBeScript } from '../../../source-text/paths/text-language.ts';
import { occurrences } from '../../../source-text/words.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import type { ToolContext } from '../../run/tool.ts';
import { documentAt } from '../../show/document-at.ts';
import type { ImportFollower } from '../import-follower.ts';
import type { SearchedSymbol } from '../meaning/searched-symbol.ts';
import { mayUseByImport } from './embedded-imports.ts';
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
  if (isScript(definedIn)) return (document) => mayUseByImport(follower, document, { name, definedIn });
  if (isC(definedIn)) {
    const unserved = new UnservedC(context, symbol, call);
    return (document) => unserved.mayUse(document);
  }
  if (isPython(definedIn)) return (document) => importsPython(follower, document);
  const exporting = exportedToC(definedIn, name);
  if (exporting) return (document) => isExportedToC(context, document, definedIn, exporting);
  if (isJvm(definedIn)) {
    let packages: JvmPackages | undefined;
    return ({ path, text }) => {
      if (!isJvm(path)) return false;
      packages ??= new JvmPackages(context.workspace.files(), definedIn);
      return packages.reaches(path, text);
    };
  }
  if (isShell(definedIn)) return ({ text }) => mayReadScript(text, definedIn);
  if (/\.rb$/.test(definedIn)) return ({ path, text }) => usesInTemplate(path, text, name);
  return () => false;
}

/** Returns whether a file may be code that no server reads for a symbol of another, by their paths alone. */
export function mayBeUnserved(path: string, definedIn: string): boolean {
  if (isScript(definedIn)) return withScripts.test(path);
  if (isC(definedIn)) return mayEmbedC(path);
  if (isPython(definedIn)) return mayBePython(path) || isNotebook(path);
  if (exportedToC(definedIn, '')) return isC(path);
  if (isJvm(definedIn)) return isJvm(path);
  if (isShell(definedIn)) return mayBeScript(path);
  return /\.rb$/.test(definedIn) && (inTags.test(path) || inLines.test(path) || likeRuby.test(path));
}

/** Files that `mayUseByImport` reads. */
const withScripts = /\.(?:astro|vue|svelte|marko|riot|coffee|civet|imba|mdx|html?)$/i;

/** Some languages import modules of Python as Python does. */
async function importsPython(follower: ImportFollower, { path, text }: Document): Promise<boolean> {
  if (languageOfText(path, text) !== 'py' && !isNotebook(path)) return false;
  const packages = await follower.packages();
  const asPython = `${path}.py`;
  const code = isNotebook(path) ? codeOfNotebook(text) : text;
  const modules = importedModules(asPython, code.replace(/\bcimport\b/g, 'import'));
  return modules.some((module) => packages.sources(module, asPython).length > 0);
}

/** Matches what a text of Go or Rust exports to C under a name. */
function exportedToC(path: string, name: string): RegExp | undefined {
  const word = `${name.replace(/\W/g, '\\$&')}\\b`;
  if (/\.go$/.test(path)) return new RegExp(`^//export ${word}`, 'm');
  if (!/\.rs$/.test(path)) return undefined;
  const kept = String.raw`\b(?:no_mangle|export_name|extern\s{1,9}"C|repr\(\s{0,9}C)[^;{}]{0,500}`;
  return new RegExp(String.raw`${kept}\b(?:fn|static|mut|struct|union|enum)\s{1,9}(?:r#)?${word}`);
}

async function isExportedToC(
  context: ToolContext,
  { path }: Document,
  definedIn: string,
  exporting: RegExp,
): Promise<boolean> {
  return isC(path) && exporting.test((await documentAt(context, definedIn))?.text ?? '');
}

const inTags = /\.(?:erb|rhtml)$/;
const inLines = /\.(?:haml|slim)$/;
const likeRuby = /\.(?:jbuilder|rabl)$/;

/** Returns whether a template of Ruby names something in its code, or where it may be code. */
function usesInTemplate(path: string, text: string, name: string): boolean {
  if (inTags.test(path)) return isInTag(text, name);
  if (inLines.test(path)) return occurrences(withoutCommentLines(text), name).length > 0;
  return likeRuby.test(path) && lexicalAt(`${path}.rb`, text, occurrences(text, name)).some(isCode);
}

function isCode(kind: string): boolean {
  return kind !== 'comment';
}

function isInTag(text: string, name: string): boolean {
  for (let open = text.indexOf('<%'); open >= 0; ) {
    const close = text.indexOf('%>', open + 2);
    const code = text.slice(open + 2, close < 0 ? undefined : close);
    if (!code.startsWith('#') && occurrences(code, name).length > 0) return true;
    if (close < 0) return false;
    open = text.indexOf('<%', close + 2);
  }
  return false;
}

/** A comment of Haml or Slim holds the lines that are indented more. */
function withoutCommentLines(text: string): string {
  let comment = Number.POSITIVE_INFINITY;
  const left = text.split('\n').filter((line) => {
    const indent = line.search(/\S/);
    if (indent < 0 || indent > comment) return false;
    const isComment = /^(?:-#|\/)/.test(line.slice(indent, indent + 2));
    comment = isComment ? indent : Number.POSITIVE_INFINITY;
    return !isComment;
  });
  return left.join('\n');
}
