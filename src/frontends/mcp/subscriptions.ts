import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { asLspanError, type LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { list, object } from '../../core/runtime/json.ts';
import type { McpResources } from '../../tools/host/resources.ts';
import { diagnosticsTemplate, fileOfUri } from './diagnostics-uri.ts';

/**
 * The resources that a client follows. Changes of one within the gap are one notification. In the 2026
 * revision the SDK keeps the subscriptions of each request; this class only observes which are meant.
 */
export class Subscriptions {
  readonly #open: () => Promise<unknown>;
  readonly #tell: (uri: string) => void;
  /** Keyed by the id of the request; in older revisions no request stays open, and the key is undefined. */
  readonly #followed = new Map<string | number | undefined, Set<string>>();
  /** The real paths of the files, as far as they are known. */
  readonly #paths = new Map<string, string>();
  /** Resolve to why a file cannot be followed, if so. */
  readonly #locating = new Map<string, Promise<LspanError | undefined>>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #resources: McpResources | undefined;
  /** Stops listening; set only while a resource is followed, since listening has a cost. */
  #leave: (() => void) | undefined;
  #closed = false;

  /**
   * @param open Opens the workspace, which is then followed.
   * @param tell Notifies the client that a resource may have changed.
   */
  constructor(open: () => Promise<unknown>, tell: (uri: string) => void) {
    this.#open = open;
    this.#tell = tell;
  }

  /** Follows a resource; returns false if there are too many. */
  add(uri: string, request?: string | number): boolean {
    const file = fileOfUri(uri);
    const followed = this.#followed.get(request) ?? new Set();
    if (followed.has(uri)) return true;
    // The client may have disconnected while the workspace was being opened.
    if (this.#closed) return false;
    if (file === undefined || this.#count() >= limits.resources.subscriptions) return false;
    this.#followed.set(request, followed.add(uri));
    this.#locate(uri, file);
    this.#listen();
    return true;
  }

  remove(uri: string): void {
    this.#followed.get(undefined)?.delete(uri);
    this.#forgetOthers();
  }

  /**
   * Observes what the SDK answers by itself: requests to listen, and their end. Returns why one is refused, later if
   * files must be found first: the SDK would acknowledge more than is followed here, and the client would wait for what
   * never comes.
   */
  overhear(message: JSONRPCMessage): Refusal | Promise<Refusal> {
    if (!('method' in message)) return undefined;
    if (message.method === 'notifications/cancelled') this.end(message.params?.requestId);
    if (message.method !== 'subscriptions/listen' || !('id' in message)) return undefined;
    const asked = resourcesIn(message.params?.notifications);
    if (asked.length === 0) return undefined;
    if (asked.some((uri) => fileOfUri(uri) === undefined)) return noneOfOurs;
    if (this.#count() + new Set(asked).size > limits.resources.subscriptions) return tooMany;
    for (const uri of asked) this.add(uri, message.id);
    return this.#refusalOf(asked, message.id);
  }

  /** Notifies of every followed resource: a new listener may have missed a change. */
  again(): void {
    this.#note();
  }

  /** Stops following: the client has disconnected. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#followed.clear();
    this.#forgetOthers();
  }

  /** Follows the files of a new workspace: all of them may have changed. */
  follow(resources: McpResources | undefined): void {
    this.#leave?.();
    this.#leave = undefined;
    this.#resources = resources;
    this.#paths.clear();
    this.#locating.clear();
    for (const uri of this.#all()) this.#locate(uri, fileOfUri(uri) ?? '');
    this.#listen();
    this.#note();
  }

  #listen(): void {
    if (this.#all().size > 0) this.#leave ??= this.#resources?.onProblems((path) => this.#note(path));
  }

  #note(path?: string): void {
    for (const uri of this.#all())
      if (path === undefined || (this.#paths.get(uri) ?? path) === path) this.#changed.add(uri);
    if (this.#changed.size === 0 || this.#timer) return;
    this.#timer = setTimeout(() => this.#flush(), limits.resources.gap).unref();
  }

  #flush(): void {
    this.#timer = undefined;
    const followed = this.#all();
    for (const uri of this.#changed) if (followed.has(uri)) this.#tell(uri);
    this.#changed.clear();
  }

  /** Finds the real path; until it is known, or if there is no such file, every change may concern the file. */
  #locate(uri: string, file: string): void {
    const locating = this.#resources?.locate(file).then((path) => {
      this.#paths.set(uri, path);
      return undefined;
    }, asLspanError);
    if (locating) this.#locating.set(uri, locating);
  }

  /** Opens the workspace; a request that is about more worktrees than can be followed is refused as a whole. */
  async #refusalOf(asked: readonly string[], request: string | number): Promise<Refusal> {
    // A bridge that fails to open has no changes to report; the next call says why.
    await this.#open().catch(() => {});
    const faults = await Promise.all(asked.map((uri) => this.#locating.get(uri)));
    const beyond = faults.find((fault) => fault?.code === 'limit_exceeded');
    if (!beyond) return undefined;
    this.end(request);
    return `${beyond.message} ${beyond.nextStep ?? ''}`.trimEnd();
  }

  /** Stops following the resources of a request. */
  end(request: unknown): void {
    if (typeof request !== 'string' && typeof request !== 'number') return;
    this.#followed.delete(request);
    this.#forgetOthers();
  }

  #forgetOthers(): void {
    const followed = this.#all();
    for (const uri of this.#paths.keys()) if (!followed.has(uri)) this.#paths.delete(uri);
    for (const uri of this.#locating.keys()) if (!followed.has(uri)) this.#locating.delete(uri);
    if (followed.size > 0) return;
    this.#leave?.();
    this.#leave = undefined;
  }

  #count(): number {
    return [...this.#followed.values()].reduce((sum, uris) => sum + uris.size, 0);
  }

  #all(): ReadonlySet<string> {
    return new Set([...this.#followed.values()].flatMap((uris) => [...uris]));
  }
}

/** Why a request is refused, if it is. */
type Refusal = string | undefined;

/** The error for too many followed resources. */
export const tooMany = `At most ${limits.resources.subscriptions} subscriptions at once.`;

/** The error for resources that cannot be followed. */
const noneOfOurs = `Only resources of the template ${diagnosticsTemplate.uriTemplate} can be subscribed.`;

function resourcesIn(filter: unknown): readonly string[] {
  return list(object(filter).resourceSubscriptions).filter((uri) => typeof uri === 'string');
}
