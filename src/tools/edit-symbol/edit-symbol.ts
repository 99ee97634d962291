import { z } from 'zod';
import type { Call } from '../../core/call.ts';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { contains } from '../../core/position.ts';
import type { ProposedEdit } from '../../core/proposal.ts';
import type { OutlineSymbol, Place } from '../../core/question.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { previewOrApply } from '../change/change.ts';
import { change, changeFields } from '../change/change-data.ts';
import { renderChange, shortenChange } from '../change/render-change.ts';
import { defineTool } from '../run/define-tool.ts';
import type { ToolContext } from '../run/tool.ts';
import { ambiguous } from '../target/candidate.ts';
import { locate } from '../target/locate.ts';
import { type Located, type Target, target } from '../target/target-fields.ts';
import { deleteSymbol, insertBeside, replaceSymbol } from './symbol-edits.ts';
import { type Neighbours, neighboursOf, type SymbolExtent, symbolExtent } from './symbol-extent.ts';
import { refuseIfUsed, usesOfSymbol } from './symbol-uses.ts';
import { unlistedSymbols, withUnlisted } from './unlisted-symbols.ts';

/** Changes one symbol as a whole. */
export const editSymbol = defineTool({
  name: 'edit_symbol',
  title: 'Edit a symbol',
  toolset: 'refactor',
  listed: true,
  description:
    'Replace, delete, or insert next to a symbol, including decorators and documentation comment; replace keeps those that `text` omits. Unindented `text` is indented. delete is refused while it is used.',
  input: z.strictObject({
    ...target,
    action: z.enum(['replace', 'insert_before', 'insert_after', 'delete']),
    text: z.string().max(limits.input.text).optional(),
    force: z.boolean().default(false).describe('Delete even if used'),
    ...changeFields,
  }),
  output: change,
  effects: 'files',
  async answer(context, input, call) {
    const { action, text = '', force } = input;
    if (action !== 'delete' && text.trim() === '') throw wrongText(`\`${action}\` needs \`text\`.`);
    if (action === 'delete' && text !== '') throw wrongText('`delete` takes no `text`.');
    const located = await locate(context, input, call, { exact: true });
    const { place, doubts } = located;
    const document = await context.workspace.read(place.path);
    const { symbol, siblings } = await symbolAt(context, located, input, call);
    const extent = symbolExtent(document, symbol, siblings);
    const neighbours = neighboursOf(document, symbol, siblings);
    const edit = edits[action]({ document, extent, text, neighbours });
    const uses = await usesOfSymbol(context, symbol, siblings, { ...extent, path: place.path }, call);
    if (action === 'delete' && !force) await refuseIfUsed(context, symbol.name, uses, call);
    const step = {
      kind: 'edit' as const,
      uri: context.workspace.uri(place.path),
      encoding: 'utf-16' as const,
      edits: [edit],
      seen: document.hash,
    };
    const dependents = [...new Set(uses.spans.map(({ path }) => path))];
    const title = `${titles[action]} ${symbol.name}`;
    const request = { ...input, title, dependents };
    const result = await previewOrApply(context, { steps: [step], confirm: [] }, request, call);
    return { ...result, adjusted: located.adjusted, doubts: [...doubts, ...result.doubts] };
  },
  render: renderChange,
  shorten: shortenChange,
});

interface EditOptions {
  readonly document: Document;
  readonly extent: SymbolExtent;
  readonly text: string;
  readonly neighbours: Neighbours;
}

const edits: Readonly<Record<Action, (options: EditOptions) => ProposedEdit>> = {
  replace: ({ document, extent, text }) => replaceSymbol(document, extent, text),
  insert_before: ({ document, extent, text, neighbours }) =>
    insertBeside(document, extent, text, 'before', neighbours),
  insert_after: ({ document, extent, text, neighbours }) =>
    insertBeside(document, extent, text, 'after', neighbours),
  delete: ({ document, extent }) => deleteSymbol(document, extent),
};

type Action = 'replace' | 'insert_before' | 'insert_after' | 'delete';

const titles: Readonly<Record<Action, string>> = {
  replace: 'replace',
  insert_before: 'insert before',
  insert_after: 'insert after',
  delete: 'delete',
};

function wrongText(message: string): LspanError {
  return new LspanError('invalid_input', message, {
    nextStep: 'Give the whole new text, or `action: "delete"` without one.',
  });
}

interface DeclaredSymbol {
  readonly symbol: OutlineSymbol;
  /** The symbols of the same holder, itself included. */
  readonly siblings: readonly OutlineSymbol[];
}

/** Returns the symbol that is declared at a place. A name alone does not say which of several declarations is meant. */
async function symbolAt(
  context: ToolContext,
  located: Located,
  given: Target,
  call: Call,
): Promise<DeclaredSymbol> {
  const { place, name = '' } = located;
  const { answer } = await context.outlines.of(context, place.path, call);
  const unlisted = unlistedSymbols(await context.workspace.read(place.path), answer, name);
  const found = declaredAt(withUnlisted(answer, unlisted), place);
  if (!found) {
    throw new LspanError('not_found', `${JSON.stringify(name)} is not declared here, only used.`, {
      nextStep: 'Give the position of its declaration: find_definition shows it.',
    });
  }
  const overloads = found.siblings.filter((one) => one.name === found.symbol.name);
  const isNumbered = /\[\d+\]$/.test(given.symbol_name ?? '');
  const isExact = given.line !== undefined || given.id !== undefined || (isNumbered && unlisted.length === 0);
  if (overloads.length > 1 && !isExact) {
    const candidates = overloads.map(({ kind, selection }) => ({
      place: { path: place.path, position: selection.start },
      name,
      kind,
    }));
    throw await ambiguous(context, given.symbol_name ?? name, candidates, call);
  }
  return found;
}

function declaredAt(level: readonly OutlineSymbol[], place: Place): DeclaredSymbol | undefined {
  const symbol = level.find(({ selection }) => contains(selection, place.position));
  if (symbol) return { symbol, siblings: level };
  for (const { children } of level) {
    const found = declaredAt(children, place);
    if (found) return found;
  }
  return undefined;
}
