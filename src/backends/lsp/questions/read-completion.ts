import { limits } from '../../../core/limits.ts';
import type { PositionEncoding } from '../../../core/positions.ts';
import type { Completion } from '../../../core/questions.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import type { Document } from '../../../workspace/texts/document.ts';
import { readDocumentation } from '../convert/read-documentation.ts';
import { addedLines } from './added-lines.ts';
import { plainSnippet } from './plain-snippet.ts';

/** Reads one item of which the label is known. */
export function readCompletion(item: Json, document: Document, encoding: PositionEncoding): Completion {
  // clangd marks by a dot what adds an include.
  const label =
    text(item.label)
      ?.replace(/^[\s•]+/, '')
      .trimEnd() ?? '';
  const { detail: beside, description } = object(item.labelDetails);
  const { signature, documentation } = splitSignature(readDocumentation(item.documentation));
  const optional = {
    kind: completionKinds[(number(item.kind) ?? 0) - 1],
    detail: joined(oneLine(beside), oneLine(item.detail)) ?? oneLine(signature),
    source: oneLine(description),
    documentation,
  };
  return {
    label: label.slice(0, limits.results.lineLength),
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    isDeprecated: item.deprecated === true || list(item.tags).includes(deprecatedTag),
    isPreselected: item.preselect === true,
    insert: insertOf(item, label),
    additions: addedLines(list(item.additionalTextEdits), document, encoding),
  };
}

const deprecatedTag = 1;
const snippet = 2;

function insertOf({ textEdit, insertText, insertTextFormat }: Json, label: string): string {
  const whole = text(object(textEdit).newText) ?? text(insertText) ?? label;
  const written = whole.slice(0, limits.completions.text);
  return insertTextFormat === snippet ? plainSnippet(written) : written;
}

/** Some servers tell the signature only as a block of code before the documentation. */
function splitSignature(whole: string | undefined): {
  readonly signature?: string | undefined;
  readonly documentation?: string | undefined;
} {
  const block = /^```(?!man|te?xt|plain)[^\n]*\n([\s\S]*?)\n```\s*(?:-{3,}\s*)?/.exec(whole ?? '');
  if (whole === undefined || block === null) return { documentation: whole };
  return { signature: block[1], documentation: whole.slice(block[0].length) || undefined };
}

/** What stands beside the label is often the list of parameters, and the rest the type of what is returned. */
function joined(beside: string | undefined, detail: string | undefined): string | undefined {
  if (beside === undefined || detail?.includes(beside)) return detail;
  return detail === undefined ? beside : `${beside} ${detail}`;
}

function oneLine(value: unknown): string | undefined {
  const line = text(value)
    ?.slice(0, limits.completions.text)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, limits.results.lineLength);
  return line === '' ? undefined : line;
}

/** In the order in which servers number them from 1. */
const completionKinds = [
  'text',
  'method',
  'function',
  'constructor',
  'field',
  'variable',
  'class',
  'interface',
  'module',
  'property',
  'unit',
  'value',
  'enum',
  'keyword',
  'snippet',
  'color',
  'file',
  'reference',
  'folder',
  'enum member',
  'constant',
  'struct',
  'event',
  'operator',
  'type parameter',
] as const;
