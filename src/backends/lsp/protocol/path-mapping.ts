import { limits } from '../../../core/limits.ts';
import { isRecord } from '../../../core/runtime/json.ts';
import { encodeSegment } from '../../../platform/files/uri-of-path.ts';

/** A folder here, and the same folder where a server runs. */
export interface PathPair {
  readonly near: string;
  readonly far: string;
}

/** Maps messages between what they are here and on the wire. */
export interface MessageMapping {
  /** Returns a message as the server gets it. `method` is that of the message, or of the request that it answers. */
  toFar(message: unknown, method: string | undefined): unknown;
  /**
   * Returns a message of the server as it is meant here.
   * @param asked The parameters of the request that it answers.
   */
  toNear(message: unknown, method: string | undefined, asked?: unknown): unknown;
}

/** How the URIs and the paths of a message are mapped; a path of no folder on the other side is `undefined`. */
interface NameMapping {
  uri(given: string): string;
  path(given: string): string | undefined;
}

/**
 * Maps the URIs and paths of LSP messages between this machine and the one where a server runs, by the type of a field and
 * never in other strings. What lies in no pair gets a scheme of its own: nobody takes it for a file on the wrong machine,
 * and on its way back it is what it was.
 */
export class PathMapping implements MessageMapping {
  readonly #toFar: Direction;
  readonly #toNear: Direction;

  constructor(pairs: readonly PathPair[]) {
    const sides = pairs.map(({ near, far }) => ({ near: folderOf(near), far: folderOf(far) }));
    const toFar = sides.map(({ near, far }) => ({ from: near, to: far }));
    const toNear = sides.map(({ near, far }) => ({ from: far, to: near }));
    this.#toFar = new Direction(toFar, toNear, { mine: 'near-file:', others: 'far-file:' });
    this.#toNear = new Direction(toNear, toFar, { mine: 'far-file:', others: 'near-file:' });
  }

  toFar(message: unknown, method: string | undefined): unknown {
    return mapMessage(message, method, this.#toFar);
  }

  toNear(message: unknown, method: string | undefined): unknown {
    return mapMessage(message, method, this.#toNear);
  }

  /** Returns whether a folder here is one there. */
  covers(folder: string): boolean {
    return this.#toFar.path(folder) !== undefined;
  }
}

/** A folder as the names in its path. */
interface Folder {
  readonly names: readonly string[];
  /** The path in a URI, without a slash at its end. */
  readonly encoded: string;
  readonly isWindows: boolean;
}

function folderOf(path: string): Folder {
  const isWindows = /^[a-z]:[\\/]/i.test(path);
  const slashed = isWindows ? `/${path.replaceAll('\\', '/')}` : path;
  const names = slashed.replace(/\/+$/, '').split('/');
  return { names, encoded: names.map(encodeSegment).join('/'), isWindows };
}

interface Rule {
  readonly from: Folder;
  readonly to: Folder;
}

/** The schemes of what is a file only on the side that it comes from, and only on the other. */
interface Schemes {
  readonly mine: string;
  readonly others: string;
}

/** One direction of a mapping. */
class Direction implements NameMapping {
  /** The innermost folder first. */
  readonly #rules: readonly Rule[];
  readonly #back: readonly Rule[];
  readonly #schemes: Schemes;
  readonly #uris = new Map<string, string>();

  constructor(rules: readonly Rule[], back: readonly Rule[], schemes: Schemes) {
    this.#rules = innermostFirst(rules);
    this.#back = innermostFirst(back);
    this.#schemes = schemes;
  }

  /** Returns a URI of any scheme as it is on the other side. */
  uri(given: string): string {
    const known = this.#uris.get(given);
    if (known !== undefined) return known;
    if (this.#uris.size >= limits.admittedUris) this.#uris.clear();
    const mapped = this.#mapUri(given);
    this.#uris.set(given, mapped);
    return mapped;
  }

  /** Returns a path on the other side; `undefined` if it lies in no folder of both. */
  path(given: string): string | undefined {
    const isWindows = /^[a-z]:[\\/]/i.test(given);
    const names = (isWindows ? `/${given.replaceAll('\\', '/')}` : given).split('/');
    const found = mapNames(names, this.#rules, this.#back);
    if (!found) return undefined;
    const { to, rest } = found;
    const slashed = [...to.names, ...rest].join('/') || '/';
    return to.isWindows ? slashed.slice(1).replaceAll('/', '\\') : slashed;
  }

  #mapUri(given: string): string {
    const { mine, others } = this.#schemes;
    if (given.startsWith(others)) return `file:${given.slice(others.length)}`;
    const [, path] = fileUri.exec(given) ?? [];
    if (path === undefined) return given;
    const encoded = path.split('/');
    const names = encoded.map(decoded);
    const isPlain = names.every((name) => name !== undefined);
    const found = isPlain ? mapNames(names, this.#rules, this.#back) : undefined;
    if (!found) return `${mine}${given.slice('file:'.length)}`;
    // The rest keeps its spelling, so that a server gets back what it said.
    const rest = encoded.slice(encoded.length - found.rest.length);
    return `file://${[found.to.encoded, ...rest].join('/')}`;
  }
}

/** Servers write `file:///path`, some with a host, none with a query. */
const fileUri = /^file:\/\/(?:localhost)?(\/[^?#]*)$/i;

function innermostFirst(rules: readonly Rule[]): readonly Rule[] {
  return rules.toSorted((a, b) => b.from.names.length - a.from.names.length);
}

interface MappedNames {
  readonly to: Folder;
  readonly rest: readonly string[];
}

/** Maps a path if the way back leads to it again: a folder within another pair may be hidden by that. */
function mapNames(
  names: readonly string[],
  rules: readonly Rule[],
  back: readonly Rule[],
): MappedNames | undefined {
  const found = withRule(names, rules);
  if (!found) return undefined;
  const returned = withRule([...found.to.names, ...found.rest], back);
  return returned?.rest.length === found.rest.length ? found : undefined;
}

function withRule(names: readonly string[], rules: readonly Rule[]): MappedNames | undefined {
  // A name may contain an encoded slash, and would climb out of the folder.
  if (names.some((name) => name.split(/[\\/]/).includes('..'))) return undefined;
  const rule = rules.find(({ from }) => begins(names, from));
  return rule && { to: rule.to, rest: names.slice(rule.from.names.length) };
}

function begins(names: readonly string[], { names: first, isWindows }: Folder): boolean {
  const same = (a: string | undefined, b: string) =>
    a === b || (isWindows && a?.toLowerCase() === b.toLowerCase());
  return names.length >= first.length && first.every((name, at) => same(names[at], name));
}

function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Fields of the protocol whose value is a URI: https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#uri */
export const uriFields: ReadonlySet<string> = new Set([
  ...['uri', 'targetUri', 'rootUri', 'oldUri', 'newUri', 'baseUri', 'scopeUri', 'href'],
]);

/** Tables whose keys are URIs, if they are tables. */
const uriKeys: ReadonlySet<string> = new Set(['changes', 'relatedDocuments']);

/** Patterns of paths, which may begin with a folder. */
const patternFields: ReadonlySet<string> = new Set(['globPattern', 'pattern']);

/** What only the server, or only its user, understands. It gets the former back as it was. */
export const opaqueFields: ReadonlySet<string> = new Set([
  ...['data', 'initializationOptions', 'settings', 'capabilities', 'experimental'],
]);

/** Commands of a server have paths in them, as the protocol of the program behind it names them. */
const pathFieldsOfCommands: ReadonlySet<string> = new Set(['file', 'fileName']);

/** Maps the fields of a message that are URIs or paths, and nothing else. */
export function mapMessage(message: unknown, method: string | undefined, names: NameMapping): unknown {
  if (!isRecord(message)) return message;
  // An answer to this is a list of settings, of which only the server knows what is a path.
  if (method === 'workspace/configuration' && 'result' in message) return message;
  const isCommand = method === 'workspace/executeCommand';
  const { params, result, ...envelope } = message;
  const map = (value: unknown) => mapValue(value, '', names, isCommand);
  return {
    ...envelope,
    ...('params' in message && { params: map(params) }),
    ...('result' in message && { result: map(result) }),
  };
}

function mapValue(value: unknown, field: string, names: NameMapping, isCommand: boolean): unknown {
  if (typeof value === 'string') return mapText(value, field, names, isCommand);
  if (Array.isArray(value)) return value.map((one: unknown) => mapValue(one, '', names, isCommand));
  if (!isRecord(value) || opaqueFields.has(field)) return value;
  const hasUriKeys = uriKeys.has(field);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      hasUriKeys ? names.uri(name) : name,
      mapValue(inner, name, names, isCommand),
    ]),
  );
}

function mapText(text: string, field: string, names: NameMapping, isCommand: boolean): string {
  if (uriFields.has(field)) return names.uri(text);
  const isPath = field === 'rootPath' || (isCommand && pathFieldsOfCommands.has(field));
  return isPath || patternFields.has(field) ? (names.path(text) ?? text) : text;
}
