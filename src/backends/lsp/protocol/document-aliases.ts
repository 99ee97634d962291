import { isRecord, type Json, list, object, text } from '../../../core/runtime/json.ts';
import {
  type MessageMapping,
  mapMessage,
  opaqueFields,
  type PathMapping,
  uriFields,
} from './path-mapping.ts';

/**
 * Gives documents another name at the server, beside the file's own, under which there is nothing on the disk: the server
 * keeps what it knows of the file from those that include it, and answers about the document as it reads it alone. Here,
 * both names mean the file.
 */
export class DocumentAliases implements MessageMapping {
  readonly #paths: PathMapping | undefined;
  /** URIs of the files whose documents are open under an alias. */
  readonly #open = new Set<string>();
  /** URIs of files by alias, also of closed documents: the server still names them. */
  readonly #files = new Map<string, string>();

  /** @param paths Maps the paths of a server that runs elsewhere. */
  constructor(paths?: PathMapping) {
    this.#paths = paths;
  }

  /** Makes later messages to the server name a file by its alias. */
  add(uri: string): void {
    this.#open.add(uri);
    this.#files.set(aliasOf(uri), uri);
  }

  /** Makes later messages to the server name a file as it is called. */
  remove(uri: string): void {
    this.#open.delete(uri);
  }

  toFar(message: unknown, method: string | undefined): unknown {
    // What happens on the disk happens to the file itself.
    const isMapped = this.#open.size > 0 && method !== 'workspace/didChangeWatchedFiles';
    const uri = (given: string) => (this.#open.has(given) ? aliasOf(given) : given);
    const named = isMapped ? mapMessage(message, method, { uri, path: (given) => given }) : message;
    return this.#paths ? this.#paths.toFar(named, method) : named;
  }

  toNear(message: unknown, method: string | undefined, asked?: unknown): unknown {
    const near = this.#paths ? this.#paths.toNear(message, method) : message;
    if (this.#files.size === 0 || !isRecord(near)) return near;
    const own = aliasOf(text(object(object(asked).textDocument).uri) ?? '');
    const isForeign = (uri: unknown) => typeof uri === 'string' && uri !== own && this.#files.has(uri);
    const kept = leavingOut.has(method) ? { ...near, result: withoutUses(near.result, isForeign) } : near;
    return toFiles(kept, this.#files);
  }
}

/** Returns the alias of a file: in the same folder, from which its includes are resolved, and of the same language. */
export function aliasOf(uri: string): string {
  return uri.replace(/(?:\.[^./]*)?$/, (extension) => `.lspan${extension}`);
}

/**
 * Searches for uses, which leave out those in other documents with an alias: the server knows the uses in these files from
 * what includes them, and alone it may take a name there for something else.
 */
const leavingOut: ReadonlySet<unknown> = new Set(['textDocument/references', 'textDocument/rename']);

/** Returns the locations of a search, or the edits of a rename, without those in some documents. */
function withoutUses(result: unknown, isForeign: (uri: unknown) => boolean): unknown {
  if (Array.isArray(result)) return result.filter((one) => !isForeign(object(one).uri));
  if (!isRecord(result)) return result;
  const { changes, documentChanges, ...rest } = result;
  const isKept = (one: unknown) => !isForeign(object(object(one).textDocument).uri);
  return {
    ...rest,
    ...(isRecord(changes) && {
      changes: Object.fromEntries(Object.entries(changes).filter(([uri]) => !isForeign(uri))),
    }),
    ...(Array.isArray(documentChanges) && { documentChanges: documentChanges.filter(isKept) }),
  };
}

type Files = ReadonlyMap<string, string>;

/** Replaces aliases by files. What the server said of both names is said once. Returns the value itself if it has none. */
function toFiles(value: unknown, files: Files, field = ''): unknown {
  if (typeof value === 'string') return uriFields.has(field) ? (files.get(value) ?? value) : value;
  if (Array.isArray(value)) return listOfFiles(value, files, field);
  if (!isRecord(value) || opaqueFields.has(field)) return value;
  if (field === 'changes') return changesOfFiles(value, files);
  const entries = Object.entries(value).map(([name, inner]) => [name, toFiles(inner, files, name)] as const);
  return entries.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(entries);
}

function listOfFiles(value: readonly unknown[], files: Files, field: string): readonly unknown[] {
  const mapped = value.map((one) => toFiles(one, files));
  // A call in such a file may have been found by both names, though its caller is named once.
  const isSame = field !== 'fromRanges' && mapped.every((one, index) => one === value[index]);
  return isSame ? value : once(mapped);
}

/** The edits of each file: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#workspaceEdit */
function changesOfFiles(changes: Json, files: Files): Json {
  const byFile = new Map<string, readonly unknown[]>();
  for (const [uri, edits] of Object.entries(changes)) {
    const file = files.get(uri) ?? uri;
    byFile.set(file, once([...(byFile.get(file) ?? []), ...list(edits)]));
  }
  return Object.fromEntries(byFile);
}

/** Returns each element once; what several of one identity list is joined. */
function once(values: readonly unknown[]): readonly unknown[] {
  const found = new Map<string, unknown>();
  for (const value of values) {
    const identity = identityOf(value);
    found.set(identity, found.has(identity) ? joined(found.get(identity), value) : value);
  }
  return [...found.values()];
}

/** The edits of a document and the calls of a caller are lists; ranks and what is for the server's use differ by name. */
function identityOf(value: unknown): string {
  const { textDocument, edits } = object(value);
  if (Array.isArray(edits)) return JSON.stringify(object(textDocument).uri);
  return JSON.stringify(value, (field, inner: unknown) => (besides.has(field) ? undefined : inner));
}

const besides: ReadonlySet<string> = new Set(['fromRanges', 'score', 'data']);

function joined(one: unknown, other: unknown): unknown {
  if (!isRecord(one) || !isRecord(other)) return one;
  const lists = ['fromRanges', 'edits'].filter((name) => Array.isArray(one[name]));
  const both = lists.map((name) => [name, once([...list(one[name]), ...list(other[name])])]);
  return { ...one, ...Object.fromEntries(both) };
}
