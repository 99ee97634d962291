import type * as vscode from 'vscode';
import { LspanError } from '../../../../src/core/errors.ts';
import type { Json } from '../../../../src/core/runtime/json.ts';

/** Converts a range to the form of the Language Server Protocol. */
export function toRange({ start, end }: vscode.Range): Json {
  return { start: toPosition(start), end: toPosition(end) };
}

function toPosition({ line, character }: vscode.Position): Json {
  return { line, character };
}

/** Converts places; VS Code mixes both forms. */
export function toLocations(found: readonly (vscode.Location | vscode.LocationLink)[] | undefined): Json[] {
  return (found ?? []).map((one) =>
    'uri' in one
      ? { uri: one.uri.toString(), range: toRange(one.range) }
      : { uri: one.targetUri.toString(), range: toRange(one.targetSelectionRange ?? one.targetRange) },
  );
}

/** Joins the hovers of all providers, as VS Code shows them one below the other. */
export function toHover(hovers: readonly vscode.Hover[] | undefined): Json | null {
  const all = hovers ?? [];
  const contents = all.flatMap((hover) => hover.contents).map(toMarked);
  if (contents.length === 0) return null;
  const range = all.find((hover) => hover.range)?.range;
  return { contents, ...(range ? { range: toRange(range) } : {}) };
}

/** In a string, MarkdownString is one of the language Markdown, which needs no fence. */
function toMarked(content: vscode.MarkdownString | vscode.MarkedString): unknown {
  if (typeof content === 'string') return content;
  return 'language' in content ? { language: content.language, value: content.value } : content.value;
}

/** The kinds of symbols count from 0 in VS Code and from 1 in the protocol. */
export function toOutline(
  symbols: readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined,
): Json[] {
  return (symbols ?? []).map((one) =>
    'selectionRange' in one ? toDocumentSymbol(one) : toSymbolInformation(one),
  );
}

function toDocumentSymbol({
  name,
  detail,
  kind,
  range,
  selectionRange,
  children,
}: vscode.DocumentSymbol): Json {
  const below = children.map(toDocumentSymbol);
  return {
    ...{ name, detail, kind: kind + 1, children: below },
    ...{ range: toRange(range), selectionRange: toRange(selectionRange) },
  };
}

/** VS Code's TypeScript writes `name()` for functions. */
export function toSymbolInformation(symbol: vscode.SymbolInformation): Json {
  const { name, kind, containerName, location } = symbol;
  const [place] = toLocations([location]);
  return { name: name.replace(/(?<=.)\(\)$/, ''), kind: kind + 1, containerName, location: place };
}

/** Converts an item of a hierarchy; `data` finds the original again. */
export function toHierarchyItem(
  item: vscode.CallHierarchyItem | vscode.TypeHierarchyItem,
  data: number,
): Json {
  const { name, kind, detail, uri, range, selectionRange } = item;
  const ranges = { range: toRange(range), selectionRange: toRange(selectionRange) };
  return { name, kind: kind + 1, detail, uri: uri.toString(), ...ranges, data };
}

/** Converts completions. */
export function toCompletions(list: vscode.CompletionList | undefined): Json {
  const items = (list?.items ?? []).map(toCompletion);
  return { isIncomplete: list?.isIncomplete === true, items };
}

function toCompletion(item: vscode.CompletionItem): Json {
  const { label, kind, insertText, additionalTextEdits, documentation, tags } = item;
  const named = typeof label === 'string' ? { label } : label;
  const isSnippet = typeof insertText === 'object';
  return {
    label: named.label,
    labelDetails: { detail: named.detail, description: named.description },
    ...(kind === undefined ? {} : { kind: kind + 1 }),
    ...{ detail: item.detail, sortText: item.sortText, filterText: item.filterText },
    ...{ preselect: item.preselect, tags: tags ? [...tags] : [] },
    documentation: toText(documentation),
    insertText: isSnippet ? insertText.value : insertText,
    insertTextFormat: isSnippet ? 2 : 1,
    additionalTextEdits: toTextEdits(additionalTextEdits),
  };
}

function toText(documentation: string | vscode.MarkdownString | undefined): string | undefined {
  return typeof documentation === 'object' ? documentation.value : documentation;
}

/** Converts the help about the call at a place. */
export function toSignatures(help: vscode.SignatureHelp | undefined): Json | null {
  if (!help || help.signatures.length === 0) return null;
  const signatures = help.signatures.map(({ label, documentation, parameters, activeParameter }) => ({
    label,
    documentation: toText(documentation),
    parameters: parameters.map((one) => ({ label: one.label, documentation: toText(one.documentation) })),
    ...(activeParameter === undefined ? {} : { activeParameter }),
  }));
  return { signatures, activeSignature: help.activeSignature, activeParameter: help.activeParameter };
}

/** Converts inlay hints. */
export function toHints(hints: readonly vscode.InlayHint[] | undefined): Json[] {
  return (hints ?? []).map(({ position, label, kind, paddingLeft, paddingRight }) => ({
    position: toPosition(position),
    label: typeof label === 'string' ? label : label.map(({ value }) => ({ value })),
    ...{ kind, paddingLeft, paddingRight },
  }));
}

/** Converts edits of one text. */
export function toTextEdits(edits: readonly vscode.TextEdit[] | undefined): Json[] {
  return (edits ?? []).map(({ range, newText }) => ({ range: toRange(range), newText }));
}

/** Converts a change of several files. Throws if it has parts that VS Code does not show to extensions. */
export function toWorkspaceEdit(edit: vscode.WorkspaceEdit, what: string): Json {
  if (hiddenParts(edit) > 0)
    throw new LspanError('not_supported', `${what} creates, moves or deletes files, or asks for input.`, {
      nextStep: 'Make the change another way, or let the user do it in VS Code.',
    });
  const documentChanges = edit.entries().map(([uri, edits]) => ({
    textDocument: { uri: uri.toString(), version: null },
    edits: toTextEdits(edits),
  }));
  return { documentChanges };
}

/** The API lists only the edits of texts; everything else is known by its number alone. */
function hiddenParts(edit: vscode.WorkspaceEdit): number {
  const list: unknown = Reflect.get(edit, '_allEntries');
  const all: unknown = typeof list === 'function' ? Reflect.apply(list, edit, []) : [];
  const texts = edit.entries().reduce((sum, [, edits]) => sum + edits.length, 0);
  return Array.isArray(all) ? Math.max(0, all.length - texts) : 0;
}

/** Converts code actions; a bare command has nothing that could be shown before it runs. */
export function toActions(actions: readonly (vscode.CodeAction | vscode.Command)[] | undefined): Json[] {
  return (actions ?? []).flatMap((one) => {
    if (isCommand(one)) return [];
    const { title, edit, diagnostics, kind, isPreferred, disabled } = one;
    const changes = edit && hiddenParts(edit) === 0 ? toWorkspaceEdit(edit, title) : undefined;
    if (changes === undefined && disabled === undefined) return [];
    return [
      {
        ...{ title, kind: kind?.value ?? '', isPreferred: isPreferred === true },
        ...(disabled ? { disabled: { reason: disabled.reason } } : {}),
        ...(changes ? { edit: changes } : {}),
        diagnostics: toDiagnostics(diagnostics),
      },
    ];
  });
}

function isCommand(one: vscode.CodeAction | vscode.Command): one is vscode.Command {
  return typeof one.command === 'string';
}

/** Severities count from 0 in VS Code and from 1 in the protocol. */
export function toDiagnostics(diagnostics: readonly vscode.Diagnostic[] | undefined): Json[] {
  return (diagnostics ?? []).map(({ range, message, severity, source, code }) => ({
    range: toRange(range),
    ...{ message, source, severity: severity + 1 },
    code: typeof code === 'object' ? code.value : code,
  }));
}
