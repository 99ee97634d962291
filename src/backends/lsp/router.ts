import { extname } from 'node:path';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Program } from './find-program.ts';
import type { ServerDefinition, Service } from './server-definition.ts';
import type { ServerSlot } from './server-slot.ts';
import { languageOf } from './session-documents.ts';

/** Finds a definition's program without starting it. */
export type Find = (definition: ServerDefinition) => Program | LspanError;

/** What the router needs of the world. */
export interface RouterParts {
  readonly definitions: readonly ServerDefinition[];
  readonly workspace: Workspace;
  /** Where a definition's program is, or why it is not. */
  readonly find: Find;
  readonly open: (definition: ServerDefinition, root: string) => ServerSlot;
}

/** Picks the servers that a question goes to: for each file those that serve it, of each group the best. */
export class Router {
  readonly #parts: RouterParts;
  readonly #slots = new Map<string, ServerSlot>();
  readonly #installed = new Set<ServerDefinition>();

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
    const root = this.#parts.workspace.rootOf(path) ?? this.#parts.workspace.roots[0];
    const serving = this.#parts.definitions.filter(
      (definition) => languageOf(path, definition) !== undefined,
    );
    if (root === undefined || serving.length === 0) throw noServer(path);
    const chosen = this.#choose(serving, service, root);
    if (chosen.length === 0) throw notAnswered(serving, service);
    return chosen.map((definition) => this.slot(definition, root));
  }

  /** Whether some server is known for a file. */
  serves(path: string): boolean {
    return this.#parts.definitions.some((definition) => languageOf(path, definition) !== undefined);
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
    for (const path of this.#parts.workspace.files()) {
      const root = this.#parts.workspace.rootOf(path);
      if (root === undefined) continue;
      const known = samples.get(root) ?? new Map<string, string>();
      known.set(extname(path) || path, path);
      samples.set(root, known);
    }
    return [...samples].map(([root, files]) => {
      const paths = [...files.values()];
      const serves = (definition: ServerDefinition) =>
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
    if (running.length < limits.servers.running) return;
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
    const able = definitions.filter(({ answers }) => answers === undefined || answers.includes(service));
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
