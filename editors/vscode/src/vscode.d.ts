/**
 * The parts of VS Code's API that the extension uses, so that it compiles without a dependency. `npm run test:vscode` compiles
 * it against the real declarations too.
 */
interface Thenable<T> extends PromiseLike<T> {}

declare module 'vscode' {
  export interface Disposable {
    dispose(): unknown;
  }
  export type Event<T> = (listener: (event: T) => unknown) => Disposable;
  export class EventEmitter<T> {
    readonly event: Event<T>;
    fire(data: T): void;
    dispose(): void;
  }
  export class Position {
    constructor(line: number, character: number);
    readonly line: number;
    readonly character: number;
  }
  export class Range {
    constructor(start: Position, end: Position);
    readonly start: Position;
    readonly end: Position;
  }
  export class Uri {
    static file(path: string): Uri;
    static parse(value: string): Uri;
    readonly scheme: string;
    readonly path: string;
    readonly fsPath: string;
    toString(): string;
  }
  export enum EndOfLine {
    LF = 1,
    CRLF = 2,
  }
  export interface TextDocument {
    readonly uri: Uri;
    readonly languageId: string;
    readonly version: number;
    readonly isDirty: boolean;
    readonly isClosed: boolean;
    readonly eol: EndOfLine;
    readonly lineCount: number;
    getText(): string;
    positionAt(offset: number): Position;
    save(): Thenable<boolean>;
  }
  export class TextEdit {
    constructor(range: Range, newText: string);
    range: Range;
    newText: string;
  }
  export interface WorkspaceEditEntryMetadata {
    readonly needsConfirmation: boolean;
    readonly label: string;
  }
  export class WorkspaceEdit {
    replace(uri: Uri, range: Range, newText: string): void;
    createFile(uri: Uri, options?: { readonly overwrite?: boolean; readonly contents?: Uint8Array }): void;
    deleteFile(uri: Uri, options?: { readonly recursive?: boolean }): void;
    renameFile(oldUri: Uri, newUri: Uri, options?: { readonly overwrite?: boolean }): void;
    entries(): [Uri, TextEdit[]][];
  }
  export class Location {
    constructor(uri: Uri, rangeOrPosition: Range | Position);
    uri: Uri;
    range: Range;
  }
  export interface LocationLink {
    targetUri: Uri;
    targetRange: Range;
    targetSelectionRange?: Range;
  }
  export class MarkdownString {
    constructor(value?: string);
    value: string;
  }
  export type MarkedString = string | { readonly language: string; readonly value: string };
  export class Hover {
    constructor(contents: MarkdownString | MarkedString);
    contents: (MarkdownString | MarkedString)[];
    range?: Range;
  }
  export class DocumentSymbol {
    constructor(name: string, detail: string, kind: number, range: Range, selectionRange: Range);
    name: string;
    detail: string;
    kind: number;
    range: Range;
    selectionRange: Range;
    children: DocumentSymbol[];
  }
  export class SymbolInformation {
    name: string;
    kind: number;
    containerName: string;
    location: Location;
  }
  export class CallHierarchyItem {
    name: string;
    kind: number;
    detail?: string;
    uri: Uri;
    range: Range;
    selectionRange: Range;
  }
  export class CallHierarchyIncomingCall {
    from: CallHierarchyItem;
    fromRanges: Range[];
  }
  export class CallHierarchyOutgoingCall {
    to: CallHierarchyItem;
    fromRanges: Range[];
  }
  export class TypeHierarchyItem {
    name: string;
    kind: number;
    detail?: string;
    uri: Uri;
    range: Range;
    selectionRange: Range;
  }
  export class SnippetString {
    value: string;
  }
  export interface CompletionItemLabel {
    label: string;
    detail?: string;
    description?: string;
  }
  export class CompletionItem {
    label: string | CompletionItemLabel;
    kind?: number;
    tags?: readonly number[];
    detail?: string;
    documentation?: string | MarkdownString;
    sortText?: string;
    filterText?: string;
    preselect?: boolean;
    insertText?: string | SnippetString;
    range?: Range | { inserting: Range; replacing: Range };
    additionalTextEdits?: TextEdit[];
  }
  export class CompletionList {
    isIncomplete?: boolean;
    items: CompletionItem[];
  }
  export class ParameterInformation {
    label: string | [number, number];
    documentation?: string | MarkdownString;
  }
  export class SignatureInformation {
    label: string;
    documentation?: string | MarkdownString;
    parameters: ParameterInformation[];
    activeParameter?: number;
  }
  export class SignatureHelp {
    signatures: SignatureInformation[];
    activeSignature: number;
    activeParameter: number;
  }
  export class InlayHintLabelPart {
    value: string;
  }
  export class InlayHint {
    position: Position;
    label: string | InlayHintLabelPart[];
    kind?: number;
    paddingLeft?: boolean;
    paddingRight?: boolean;
  }
  export class CodeActionKind {
    static readonly Empty: CodeActionKind;
    readonly value: string;
    append(parts: string): CodeActionKind;
  }
  export interface Command {
    title: string;
    command: string;
    arguments?: unknown[];
  }
  export class CodeAction {
    title: string;
    edit?: WorkspaceEdit;
    diagnostics?: Diagnostic[];
    command?: Command;
    kind?: CodeActionKind;
    isPreferred?: boolean;
    disabled?: { readonly reason: string };
  }
  export class Diagnostic {
    constructor(range: Range, message: string, severity?: number);
    range: Range;
    message: string;
    severity: number;
    source?: string;
    code?: string | number | { value: string | number; target: Uri };
  }
  export interface DiagnosticCollection extends Disposable {
    set(uri: Uri, diagnostics: readonly Diagnostic[] | undefined): void;
  }
  export interface DiagnosticChangeEvent {
    readonly uris: readonly Uri[];
  }
  export type DocumentSelector = string | readonly string[];
  export interface TextDocumentChangeEvent {
    readonly document: TextDocument;
  }
  export interface FileSystemWatcher extends Disposable {
    readonly onDidCreate: Event<Uri>;
    readonly onDidChange: Event<Uri>;
    readonly onDidDelete: Event<Uri>;
  }
  export interface WorkspaceFolder {
    readonly uri: Uri;
    readonly name: string;
  }
  export interface WorkspaceConfiguration {
    get<T>(section: string): T | undefined;
    inspect<T>(
      section: string,
    ): { readonly defaultValue?: T; readonly globalValue?: T; readonly workspaceValue?: T } | undefined;
    update(section: string, value: unknown, target?: ConfigurationTarget): Thenable<void>;
  }
  export enum ConfigurationTarget {
    Global = 1,
    Workspace = 2,
    WorkspaceFolder = 3,
  }
  export interface ConfigurationChangeEvent {
    affectsConfiguration(section: string): boolean;
  }
  export namespace workspace {
    export const workspaceFolders: readonly WorkspaceFolder[] | undefined;
    export const isTrusted: boolean;
    export const textDocuments: readonly TextDocument[];
    export const onDidGrantWorkspaceTrust: Event<void>;
    export const onDidChangeWorkspaceFolders: Event<unknown>;
    export const onDidOpenTextDocument: Event<TextDocument>;
    export const onDidCloseTextDocument: Event<TextDocument>;
    export const onDidSaveTextDocument: Event<TextDocument>;
    export const onDidChangeTextDocument: Event<TextDocumentChangeEvent>;
    export const onDidChangeConfiguration: Event<ConfigurationChangeEvent>;
    export function openTextDocument(uri: Uri): Thenable<TextDocument>;
    export function applyEdit(edit: WorkspaceEdit): Thenable<boolean>;
    export function createFileSystemWatcher(globPattern: string): FileSystemWatcher;
    export function getConfiguration(section?: string): WorkspaceConfiguration;
  }
  export namespace languages {
    export const onDidChangeDiagnostics: Event<DiagnosticChangeEvent>;
    export function getDiagnostics(): [Uri, Diagnostic[]][];
    export function getDiagnostics(resource: Uri): Diagnostic[];
    export function createDiagnosticCollection(name?: string): DiagnosticCollection;
    export function registerDefinitionProvider(
      selector: DocumentSelector,
      provider: {
        provideDefinition(document: TextDocument, position: Position): Promise<Location[]> | Location[];
      },
    ): Disposable;
    export function registerReferenceProvider(
      selector: DocumentSelector,
      provider: {
        provideReferences(document: TextDocument, position: Position): Promise<Location[]> | Location[];
      },
    ): Disposable;
    export function registerDocumentSymbolProvider(
      selector: DocumentSelector,
      provider: { provideDocumentSymbols(document: TextDocument): DocumentSymbol[] },
    ): Disposable;
  }
  export namespace commands {
    export function executeCommand<T>(command: string, ...rest: unknown[]): Thenable<T>;
    export function registerCommand(command: string, callback: (...args: never[]) => unknown): Disposable;
    export function getCommands(filterInternal?: boolean): Thenable<string[]>;
  }
  export enum StatusBarAlignment {
    Left = 1,
    Right = 2,
  }
  export class ThemeColor {
    constructor(id: string);
  }
  export interface StatusBarItem extends Disposable {
    name: string | undefined;
    text: string;
    tooltip: string | MarkdownString | undefined;
    command: string | Command | undefined;
    backgroundColor: ThemeColor | undefined;
    show(): void;
  }
  export interface OutputChannel extends Disposable {
    appendLine(value: string): void;
    show(preserveFocus?: boolean): void;
  }
  export interface QuickPickItem {
    label: string;
    description?: string;
    detail?: string;
  }
  export namespace window {
    export function createStatusBarItem(
      id: string,
      alignment?: StatusBarAlignment,
      priority?: number,
    ): StatusBarItem;
    export function createOutputChannel(name: string, languageId?: string): OutputChannel;
    export function showInformationMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    export function showWarningMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    export function showErrorMessage(message: string, ...items: string[]): Thenable<string | undefined>;
    export function showQuickPick<T extends QuickPickItem>(
      items: readonly T[],
      options?: { readonly title?: string; readonly placeHolder?: string },
    ): Thenable<T | undefined>;
    export function showTextDocument(document: TextDocument): Thenable<unknown>;
    export function showInputBox(options?: {
      readonly title?: string;
      readonly prompt?: string;
      readonly placeHolder?: string;
      readonly password?: boolean;
      readonly ignoreFocusOut?: boolean;
      readonly validateInput?: (value: string) => string | undefined;
    }): Thenable<string | undefined>;
  }
  export namespace env {
    export const appRoot: string;
    export const clipboard: { readText(): Thenable<string>; writeText(value: string): Thenable<void> };
    export const remoteName: string | undefined;
  }
  export interface SecretStorage {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
    readonly onDidChange: Event<{ readonly key: string }>;
  }
  export interface ExtensionContext {
    readonly subscriptions: { dispose(): unknown }[];
    readonly secrets: SecretStorage;
    readonly extension: Extension<unknown>;
  }
  export interface Extension<T> {
    readonly id: string;
    readonly isActive: boolean;
    readonly packageJSON: {
      readonly version?: string;
      readonly contributes?: unknown;
      readonly activationEvents?: unknown;
    };
    readonly exports: T;
    activate(): Thenable<T>;
  }
  export namespace extensions {
    export const all: readonly Extension<unknown>[];
    export function getExtension<T>(id: string): Extension<T> | undefined;
  }
  export class McpHttpServerDefinition {
    constructor(label: string, uri: Uri, headers?: Record<string, string>, version?: string);
    readonly label: string;
    uri: Uri;
    headers: Record<string, string>;
    version?: string;
  }
  export namespace lm {
    export function registerMcpServerDefinitionProvider(
      id: string,
      provider: {
        readonly onDidChangeMcpServerDefinitions?: Event<void>;
        provideMcpServerDefinitions(): McpHttpServerDefinition[] | Thenable<McpHttpServerDefinition[]>;
      },
    ): Disposable;
  }
}
