import { existsSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Doubt } from '../../core/doubts.ts';
import { LspanError } from '../../core/errors.ts';
import type { Trust } from '../../core/trust.ts';
import type { Change, Workspace } from '../../workspace/workspace.ts';
import type { Program } from './find-program.ts';
import type { ServerDefinition, Service } from './server-definition.ts';
import type { ServerSlot } from './server-slot.ts';
import { notTrusted, withheldDoubt } from './server-troubles.ts';
import { languageOf } from './session-documents.ts';
import { Vicinity } from './vicinity.ts';

/** Finds a definition's program without starting it. */
export type Find = (definition: ServerDefinition) => Program | LspanError;

/** What the router needs of the world. */
export interface RouterParts {
  readonly definitions: readonly ServerDefinition[];
  readonly workspace: Workspace;
  /** Where a definition's program is, or why it is not. */
  readonly find: Find;
  readonly open: (definition: ServerDefinition, root: string) => ServerSlot;
  readonly trusts: (root: string) => Trust;
  /** As many servers as may run at once. */
  readonly room: number;
}

/** Picks the servers that a question goes to: for each file those that serve it, of each group the best. */
export class Router {
  readonly #parts: RouterParts;
  readonly #slots = new Map<string, ServerSlot>();
  readonly #installed = new Set<ServerDefinition>();
  readonly #vicinity = new Vicinity(existsSync);

  constructor(parts: RouterParts) {
    this.#parts = parts;
  }

  get find(): Find {
    return this.#parts.find;
  }

  get slots(): readonly ServerSlot[] {
    return [...this.#slots.values()];
  }

  /** The servers for a question about one file, the preferred first. Never empty. */
  forFile(path: string, service: Service): readonly ServerSlot[] {
    const root = this.#rootOf(path);
    const serving = this.#serving(path, root);
    if (serving.length === 0) throw noServer(path);
    const chosen = this.#choose(serving, service, root);
    if (chosen.length === 0) throw this.#nobody(serving, service, root);
    return chosen.map((definition) => this.slot(definition, root));
  }

  /** A doubt for each server of a file that is installed and not run, because it would run what is not trusted. */
  withheld(path: string, service: Service): readonly Doubt[] {
    const root = this.#rootOf(path);
    const trust = this.#parts.trusts(root);
    if (trust.granted) return [];
    return this.#serving(path, root)
      .filter((definition) => definition.needsTrust !== undefined && answers(definition, service))
      .filter((definition) => this.#isInstalled(definition))
      .map((definition) => withheldDoubt(definition, trust));
  }

  /** Whether some server is known for a file. */
  serves(path: string): boolean {
    return this.#serving(path, this.#rootOf(path)).length > 0;
  }

  /** Takes note of changes on the disk: they may bring or take what a definition depends on. */
  note(changes: readonly Change[]): void {
    this.#vicinity.note(changes);
    for (const slot of this.slots) slot.note(changes);
  }

  /** The servers of every language present, in every root. Never empty. */
  forWorkspace(service: Service): readonly ServerSlot[] {
    const slots = this.present().flatMap(({ definitions, root }) =>
      this.#choose(definitions, service, root).map((definition) => this.slot(definition, root)),
    );
    if (slots.length === 0) throw noServerAtAll();
    return slots;
  }

  /** The definitions that have files in each root. */
  present(): readonly { readonly root: string; readonly definitions: readonly ServerDefinition[] }[] {
    const samples = new Map<string, Map<string, string>>();
    const names = new Set<string>();
    for (const path of this.#parts.workspace.files()) {
      names.add(basename(path));
      const root = this.#parts.workspace.rootOf(path);
      if (root === undefined) continue;
      const known = samples.get(root) ?? new Map<string, string>();
      known.set(extname(path) || basename(path), path);
      samples.set(root, known);
    }
    return [...samples].map(([root, files]) => {
      const paths = [...files.values()];
      const serves = (definition: ServerDefinition) =>
        (definition.onlyBelow?.some((name) => names.has(name)) ?? true) &&
        paths.some((path) => languageOf(path, definition) !== undefined);
      return { root, definitions: this.#parts.definitions.filter(serves) };
    });
  }

  /** The definitions that do not wait for the first call, whatever files there are. */
  early(): readonly { readonly root: string; readonly definition: ServerDefinition }[] {
    const early = this.#parts.definitions.filter(({ startsEarly }) => startsEarly === true);
    return this.#parts.workspace.roots.flatMap((root) => early.map((definition) => ({ root, definition })));
  }

  slot(definition: ServerDefinition, root: string): ServerSlot {
    const key = keyOf(definition, root);
    const known = this.#slots.get(key);
    if (known) return known;
    const slot = this.#parts.open(definition, root);
    this.#slots.set(key, slot);
    return slot;
  }

  /** Stops the least recently used idle server when as many others run as may; a busy one is never stopped. */
  async makeRoom(newcomer: ServerSlot): Promise<void> {
    const running = this.slots.filter((slot) => slot !== newcomer && slot.running);
    if (running.length < this.#parts.room) return;
    const idle = running.filter((slot) => !slot.busy).sort((a, b) => a.lastUsed - b.lastUsed)[0];
    if (!idle) {
      throw new LspanError('busy', `${running.length} language servers are running and all are busy.`, {
        nextStep: 'Call again in a moment.',
      });
    }
    await idle.stop();
  }

  /** Of each group the usable definition of the highest rank; where none is, the highest, which then says why. */
  #choose(
    definitions: readonly ServerDefinition[],
    service: Service,
    root: string,
  ): readonly ServerDefinition[] {
    const trusted = this.#parts.trusts(root).granted;
    const able = definitions.filter(
      (definition) => answers(definition, service) && (trusted || definition.needsTrust === undefined),
    );
    const ranked = [...able].sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    const groups = new Map<string, ServerDefinition>();
    for (const definition of ranked) {
      const group = definition.group ?? definition.id;
      const best = groups.get(group);
      if (!best || (!this.#isUsable(best, root) && this.#isUsable(definition, root))) {
        groups.set(group, definition);
      }
    }
    return [...groups.values()];
  }

  #rootOf(path: string): string {
    const { roots, rootOf } = this.#parts.workspace;
    return rootOf(path) ?? roots[0] ?? '';
  }

  #serving(path: string, root: string): readonly ServerDefinition[] {
    const isHere = ({ onlyBelow }: ServerDefinition) =>
      onlyBelow === undefined || this.#vicinity.holds(path, root, onlyBelow);
    return this.#parts.definitions.filter(
      (definition) => languageOf(path, definition) !== undefined && isHere(definition),
    );
  }

  #nobody(serving: readonly ServerDefinition[], service: Service, root: string): LspanError {
    const able = serving.find((definition) => answers(definition, service));
    return able ? notTrusted(able, this.#parts.trusts(root)) : notAnswered(serving, service);
  }

  /** The installed server of the same group that is preferred to this one. */
  preferredTo(definition: ServerDefinition): string | undefined {
    const { group, rank = 0, id } = definition;
    const better = this.#parts.definitions.find(
      (other) => group !== undefined && other.group === group && other.id !== id && (other.rank ?? 0) > rank,
    );
    return better && this.#isInstalled(better) ? better.id : undefined;
  }

  /** A server that keeps crashing is left alone, and the next of its group steps in. */
  #isUsable(definition: ServerDefinition, root: string): boolean {
    const slot = this.#slots.get(keyOf(definition, root));
    return this.#isInstalled(definition) && slot?.leftAlone === undefined;
  }

  /** Remembered once it is so: the disk is not asked at every question. */
  #isInstalled(definition: ServerDefinition): boolean {
    if (this.#installed.has(definition)) return true;
    const found = !(this.#parts.find(definition) instanceof LspanError);
    if (found) this.#installed.add(definition);
    return found;
  }
}

function answers(definition: ServerDefinition, service: Service): boolean {
  return definition.answers?.includes(service) ?? true;
}

function keyOf({ id }: ServerDefinition, root: string): string {
  return `${id}\0${root}`;
}

function noServer(path: string): LspanError {
  const files = extname(path) ? `${extname(path)} files` : 'files without an extension';
  return new LspanError('not_supported', `No language server is known for ${files}.`, {
    nextStep: 'Name one in the user configuration under [[servers]], or search the text instead.',
  });
}

function noServerAtAll(): LspanError {
  return new LspanError('not_supported', 'No language server is known for any file of this workspace.', {
    nextStep: 'Name one in the user configuration under [[servers]], or search the text instead.',
  });
}

function notAnswered(serving: readonly ServerDefinition[], service: Service): LspanError {
  const ids = serving.map(({ id }) => id).join(', ');
  return new LspanError(
    'not_supported',
    `None of the servers for this file (${ids}) answers ${service} questions.`,
    { nextStep: 'Use another tool, or search the text instead.' },
  );
}
