import type { Doubt } from '../../../core/doubts.ts';
import { LspanError } from '../../../core/errors.ts';
import type { CancelSignal } from '../../../core/runtime/cancellation.ts';
import type { Trust } from '../../../core/trust.ts';
import type { ServerDefinition, Service } from '../../../servers/definition.ts';
import { languageOf } from '../../../servers/language-of.ts';
import type { Change, Workspace } from '../../../workspace/workspace.ts';
import { noneWanted, noServer, noServerAtAll, notAnswered, switchedOff } from '../errors/no-server.ts';
import { notTrusted } from '../errors/server-errors.ts';
import type { Program } from '../process/find-program.ts';
import type { MemoryBudget } from '../process/memory-budget.ts';
import type { ServerSlot } from '../session/server-slot.ts';
import { answers, blockedByTrustDoubts, isBlockedByTrust, type TrustLookup } from '../session/trust-gate.ts';
import type { FileRules } from './file-rules.ts';
import { FileServers } from './file-servers.ts';
import { RootServers, type ServersInRoot, type ServersOfKind } from './root-servers.ts';
import { ServerScope } from './server-scope.ts';

interface RouterOptions {
  readonly definitions: readonly ServerDefinition[];
  readonly workspace: Workspace;
  /** Finds a definition's program, or returns why there is none. */
  readonly find: Find;
  readonly open: (definition: ServerDefinition, root: string) => ServerSlot;
  readonly trusts: TrustLookup;
  /** Maximum number of running servers, with those of other routers that share it. */
  readonly room: number;
  readonly sharedRoom?: SharedRoom | undefined;
  /** Memory of running servers, with those of other routers that share it; `most` in bytes, 0 for the default. */
  readonly memory?: { readonly budget: MemoryBudget; readonly most: number };
  readonly rules?: FileRules;
}

/** Room for running servers that several routers share: those of worktrees that are open at once. */
export class SharedRoom {
  readonly #routers = new Set<Pick<Router, 'slots'>>();

  get slots(): readonly ServerSlot[] {
    return [...this.#routers].flatMap(({ slots }) => slots);
  }

  add(router: Pick<Router, 'slots'>): void {
    this.#routers.add(router);
  }

  delete(router: Pick<Router, 'slots'>): void {
    this.#routers.delete(router);
  }
}

/** Routes a question to servers: those that serve its file, the best of each group. */
export class Router {
  readonly installed: Installed;
  readonly #parts: RouterOptions;
  readonly #slots = new Map<string, ServerSlot>();
  readonly #reach: ServerScope;
  readonly #choices: FileServers;
  readonly #importing: readonly ServerDefinition[];
  readonly #present: RootServers;
  #closed = false;

  constructor(parts: RouterOptions) {
    this.#parts = parts;
    this.installed = new Installed(parts.definitions, parts.find);
    this.#reach = new ServerScope(parts.workspace);
    const isHere = (...place: Parameters<ServerScope['includes']>) => this.#reach.includes(...place);
    this.#choices = new FileServers(parts.definitions, parts.rules, isHere);
    this.#present = new RootServers(parts, isHere);
    this.#importing = parts.definitions.filter(({ files }) => files?.importedExtensions !== undefined);
    parts.sharedRoom?.add(this);
    parts.memory?.budget.add(this, parts.memory.most);
  }

  get find(): Find {
    return this.#parts.find;
  }

  get slots(): readonly ServerSlot[] {
    return [...this.#slots.values()];
  }

  /** Returns the servers for a question about one file, the preferred first. Never empty. */
  forFile(path: string, service: Service): readonly ServerSlot[] {
    const root = this.#rootOf(path);
    const choice = this.#choices.of(path, root);
    const { definitions, ordered } = choice;
    if (definitions.length === 0)
      throw ordered ? noneWanted(path, this.#parts.rules?.of(path, root) ?? []) : noServer(path);
    const chosen = this.#choose(choice, service, root);
    if (chosen.length === 0) throw this.#nobody(definitions, service, root);
    return chosen.map((definition) => this.slot(definition, root));
  }

  /** Like `forFile`, but for several services; may return an empty list. */
  serving(path: string, ...services: readonly Service[]): readonly ServerSlot[] {
    const root = this.#rootOf(path);
    const choice = this.#choices.of(path, root);
    const chosen = new Set(services.flatMap((service) => this.#choose(choice, service, root)));
    return [...chosen].map((definition) => this.slot(definition, root));
  }

  /** Like `serving`, for very many files. */
  *servingEach(
    paths: Iterable<string>,
    service: Service,
  ): Iterable<readonly [path: string, slots: readonly ServerSlot[]]> {
    const known = new Map<string, Map<ServersOfKind, readonly ServerSlot[]>>();
    for (const path of paths) {
      const root = this.#rootOf(path);
      const inRoot = known.get(root) ?? new Map<ServersOfKind, readonly ServerSlot[]>();
      const choice = this.#choices.of(path, root);
      const slots =
        inRoot.get(choice) ??
        this.#choose(choice, service, root).map((definition) => this.slot(definition, root));
      known.set(root, inRoot.set(choice, slots));
      yield [path, slots];
    }
  }

  /** True if a server is chosen for a file, or none of `asked` is: they report on their own files. */
  speaksOf(path: string, service: Service, slot: ServerSlot, asked: readonly ServerSlot[]): boolean {
    const chosen = this.serving(path, service);
    return chosen.includes(slot) || !asked.some((other) => chosen.includes(other));
  }

  /** Returns a doubt for each installed server of a file that is not run because the root is not trusted. */
  blockedByTrust(path: string, service: Service): readonly Doubt[] {
    const root = this.#rootOf(path);
    const { definitions, ordered } = this.#choices.of(path, root);
    return this.#withheldOf(definitions, service, root, ordered);
  }

  /** Like `blockedByTrust`, but for the whole workspace or some of its files. */
  blockedByTrustAnywhere(service: Service, among?: readonly string[]): readonly Doubt[] {
    return this.#present
      .among(among)
      .flatMap(({ definitions, root }) => this.#withheldOf(definitions, service, root));
  }

  /** True if a server could say something about one of the files that none of the slots serves. */
  isConcerned(id: string | undefined, files: readonly string[], slots: readonly ServerSlot[]): boolean {
    const definition = this.#parts.definitions.find((one) => one.id === id);
    const isServed = (file: string) => slots.some((slot) => languageOf(file, slot.definition) !== undefined);
    return (
      definition === undefined ||
      files.some((file) => languageOf(file, definition) !== undefined && !isServed(file))
    );
  }

  /** Returns the extensions of files because of which alone a server is used; `undefined` if it always is. */
  componentsOf(id: string | undefined): readonly string[] | undefined {
    return this.#parts.definitions.find((one) => one.id === id)?.files?.onlyWithExtensions;
  }

  trustIn(root: string, definition: ServerDefinition): Trust {
    return this.#parts.trusts(root, definition);
  }

  #withheldOf(
    definitions: readonly ServerDefinition[],
    service: Service,
    root: string,
    ordered = false,
  ): readonly Doubt[] {
    const installed = definitions.filter((definition) => this.installed.has(definition));
    return blockedByTrustDoubts(this.#parts.trusts, installed, root, { service, ordered });
  }

  /** Returns whether any server is known for a file. */
  serves(path: string): boolean {
    return this.#choices.of(path, this.#rootOf(path)).definitions.length > 0;
  }

  /** Handles changes on the disk, which may affect what a definition depends on. */
  note(changes: readonly Change[]): void {
    this.#reach.note(changes);
    this.#choices.note();
    this.#present.note(changes);
    for (const slot of this.slots) {
      slot.note(changes);
      slot.onTrustChanged(this.trustIn(slot.root, slot.definition));
    }
  }

  /** Returns the servers of all languages present, or of those of some files, in every root. Never empty. */
  forWorkspace(service: Service, among?: readonly string[]): readonly ServerSlot[] {
    const slots = this.servingAny(service, among);
    if (slots.length === 0) throw this.#nobodyAmong(service, among);
    return slots;
  }

  /** Like `forWorkspace`, but may return an empty list. */
  servingAny(service: Service, among?: readonly string[]): readonly ServerSlot[] {
    const slots = this.#present
      .among(among)
      .flatMap(({ choices, root }) =>
        choices
          .flatMap((choice) => this.#choose(choice, service, root))
          .map((definition) => this.slot(definition, root)),
      );
    return [...new Set(slots)];
  }

  present(): readonly ServersInRoot[] {
    return this.#present.among(undefined);
  }

  /** Returns the definitions that start before the first call, whatever files there are. */
  early(): readonly { readonly root: string; readonly definition: ServerDefinition }[] {
    const early = this.#parts.definitions.filter(({ program }) => program.startsEarly === true);
    return this.#parts.workspace.roots.flatMap((root) =>
      early
        .filter((definition) => !isBlockedByTrust(this.#parts.trusts, definition, root))
        .map((definition) => ({ root, definition })),
    );
  }

  slot(definition: ServerDefinition, root: string): ServerSlot {
    const key = keyOf(definition, root);
    const slot = this.#slots.get(key) ?? this.#parts.open(definition, root);
    this.#slots.set(key, slot);
    if (this.#closed) slot.supervisor.close();
    slot.onTrustChanged(this.trustIn(root, definition));
    return slot;
  }

  /** Returns the servers of files in the root that import this one, unseen by its own servers. */
  seeing(path: string): readonly ServerSlot[] {
    const root = this.#rootOf(path);
    return this.#importing
      .filter((definition) => this.#reach.hasImporters(definition, path, root))
      .map((definition) => this.slot(definition, root));
  }

  /** Returns the servers that this one asks for parts of its answers. */
  askedBy({ definition, root }: ServerSlot): readonly ServerSlot[] {
    const { definitions, trusts } = this.#parts;
    return definitions
      .filter(({ id }) => definition.quirks?.relays?.some(({ to }) => to === id))
      .filter((one) => !isBlockedByTrust(trusts, one, root))
      .map((one) => this.slot(one, root));
  }

  /** Returns a server that another one asks; throws if it is unknown or may not be run. */
  named(id: string, root: string): ServerSlot {
    const definition = this.#parts.definitions.find((one) => one.id === id);
    if (!definition) throw switchedOff(id);
    if (isBlockedByTrust(this.#parts.trusts, definition, root))
      throw notTrusted(definition, this.trustIn(root, definition));
    return this.slot(definition, root);
  }

  /** Stops every server for good; a question that is under way cannot start another. */
  async close(options: { readonly hurried?: boolean }): Promise<void> {
    this.#closed = true;
    const { sharedRoom, memory } = this.#parts;
    await Promise.all(this.slots.map((slot) => slot.close(options))).finally(() => {
      sharedRoom?.delete(this);
      memory?.budget.delete(this);
    });
  }

  /** Makes room and memory for one more server. */
  async makeRoom(newcomer: ServerSlot, signal: CancelSignal): Promise<void> {
    await this.stopIdleServer(newcomer);
    await this.#parts.memory?.budget.admit(newcomer, signal);
  }

  /** Stops an idle server if no more may run. */
  stopIdleServer(newcomer: ServerSlot): Promise<void> {
    const { sharedRoom, room } = this.#parts;
    const slots = new Set([...this.slots, ...(sharedRoom?.slots ?? [])]);
    slots.delete(newcomer);
    return stopIdleServer([...slots], room);
  }

  /** Chooses the best usable definition of each group; if none is usable, the best, whose error says why. */
  #choose(
    { definitions, ordered }: ServersOfKind,
    service: Service,
    root: string,
  ): readonly ServerDefinition[] {
    const able = definitions.filter(
      (definition) =>
        answers(definition, service) && !isBlockedByTrust(this.#parts.trusts, definition, root, service),
    );
    const ranked = ordered ? able : [...able].sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    return bestOfGroups(ranked, (definition) => this.#isUsable(definition, root));
  }

  #rootOf(path: string): string {
    const { roots, rootOf } = this.#parts.workspace;
    return rootOf(path) ?? roots[0] ?? '';
  }

  #nobody(serving: readonly ServerDefinition[], service: Service, root: string): LspanError {
    const able = serving.find((definition) => answers(definition, service));
    if (!able) return notAnswered(serving, service);
    const program = this.#parts.find(able);
    return program instanceof LspanError ? program : notTrusted(able, this.trustIn(root, able));
  }

  #nobodyAmong(service: Service, among: readonly string[] | undefined): LspanError {
    const present = this.#present.among(among);
    for (const { definitions, root } of present)
      if (definitions.some((one) => answers(one, service))) return this.#nobody(definitions, service, root);
    const known = present.flatMap(({ definitions }) => definitions);
    const named = service === 'diagnostics' ? 'these files' : 'the files with the name';
    const subject = among ? named : 'this workspace';
    return known.length > 0 ? notAnswered(known, service, subject) : noServerAtAll(among && subject);
  }

  /** False for a server that keeps crashing, so that the next of its group replaces it. */
  #isUsable(definition: ServerDefinition, root: string): boolean {
    const slot = this.#slots.get(keyOf(definition, root));
    return this.installed.has(definition) && slot?.circuitOpen === undefined;
  }
}

function keyOf({ id }: ServerDefinition, root: string): string {
  return `${id}\0${root}`;
}

/** Stops the least recently used idle server if the maximum is running; never stops a busy one. */
async function stopIdleServer(slots: readonly ServerSlot[], room: number): Promise<void> {
  const running = slots.filter((slot) => slot.running);
  if (running.length < room) return;
  const idle = running.filter((slot) => !slot.busy).sort((a, b) => a.lastUsed - b.lastUsed)[0];
  if (!idle) {
    throw new LspanError('busy', `${running.length} language servers are running and all are busy.`, {
      nextStep: 'Call again in a moment.',
    });
  }
  await idle.stop();
}

/** Returns the first usable definition of each group; if none is, the first, whose error says why. */
function bestOfGroups(
  ranked: readonly ServerDefinition[],
  isUsable: (definition: ServerDefinition) => boolean,
): readonly ServerDefinition[] {
  const groups = new Map<string, ServerDefinition>();
  for (const definition of ranked) {
    const group = definition.group ?? definition.id;
    const best = groups.get(group);
    if (!best || (!isUsable(best) && isUsable(definition))) groups.set(group, definition);
  }
  return [...groups.values()];
}

/** Finds a definition's program without starting it. */
type Find = (definition: ServerDefinition) => Program | LspanError;

/** The installed servers, and the alternatives within a group. */
export class Installed {
  readonly #definitions: readonly ServerDefinition[];
  readonly #find: Find;
  readonly #known = new Set<ServerDefinition>();

  constructor(definitions: readonly ServerDefinition[], find: Find) {
    this.#definitions = definitions;
    this.#find = find;
  }

  /** Returns whether a server is installed. Caches only `true`, to avoid a disk access for every question. */
  has(definition: ServerDefinition): boolean {
    if (this.#known.has(definition)) return true;
    const found = !(this.#find(definition) instanceof LspanError);
    if (found) this.#known.add(definition);
    return found;
  }

  /** Returns the installed server of the same group that is preferred to this one for all of its files. */
  preferredTo(definition: ServerDefinition): string | undefined {
    const better = this.#alternatives(definition).find((other) => isPreferred(other, definition));
    return better && this.has(better) ? better.id : undefined;
  }

  /** True if a server need not be installed: another of its group is installed, or preferred. */
  isSpare(definition: ServerDefinition): boolean {
    return this.#alternatives(definition).some((other) => isPreferred(other, definition) || this.has(other));
  }

  /** The others of its group that serve all of its files in every folder. */
  #alternatives({ group, id, extensions }: ServerDefinition): readonly ServerDefinition[] {
    if (group === undefined) return [];
    const names = Object.keys(extensions);
    return this.#definitions
      .filter((other) => other.group === group && other.id !== id)
      .filter(({ files }) => files?.onlyBelow === undefined && files?.onlyWithExtensions === undefined)
      .filter((other) => names.every((name) => Object.hasOwn(other.extensions, name)));
  }
}

function isPreferred(other: ServerDefinition, definition: ServerDefinition): boolean {
  return (other.rank ?? 0) > (definition.rank ?? 0);
}
