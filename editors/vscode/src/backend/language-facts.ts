import path from 'node:path';
import * as vscode from 'vscode';
import { list, object, text } from '../../../../src/core/runtime/json.ts';
import type { ServerDefinition } from '../../../../src/servers/definition.ts';
import { diagnosticsOf, isSuccess } from '../../../../src/servers/tsserver-answers.ts';
import { typescriptExtensions } from '../../../../src/servers/typescript.ts';
import { typescriptLanguageServer } from '../../../../src/servers/typescript-language-server.ts';

/** What is known of a language in VS Code. */
export interface LanguageFacts {
  /** Which files belong to it, how it finds projects, and what its searches leave out. */
  readonly definition: ServerDefinition;
  /** Resolves when the language service has loaded the project of a document; absent if nothing tells. */
  readonly loaded?: (uri: vscode.Uri) => Promise<boolean>;
  /** Returns the problems of a document from the language service itself, in the form of LSP; `undefined` if it failed. */
  readonly check?: (uri: vscode.Uri) => Promise<readonly unknown[] | undefined>;
  /** The sources of problems in VS Code that `check` replaces. */
  readonly sources?: ReadonlySet<string>;
}

/**
 * TypeScript in VS Code is tsserver. While a project loads, a second one answers from single files; requests for problems
 * always go to the first, so that they tell when it is ready, and are answered for documents in no editor too.
 */
const typescript: LanguageFacts = {
  definition: { ...typescriptLanguageServer, id: 'vscode' },
  loaded: async (uri) => isSuccess(await tsserver('syntacticDiagnosticsSync', uri)),
  check: async (uri) => {
    const kinds = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync'];
    const found = await Promise.all(kinds.map(async (kind) => diagnosticsOf(await tsserver(kind, uri))));
    const all = found.flatMap((one) => one ?? []);
    return found.includes(undefined) ? undefined : all.map((one) => ({ ...object(one), source: 'ts' }));
  },
  sources: new Set(['ts', 'js']),
};

function tsserver(request: string, file: vscode.Uri): PromiseLike<unknown> {
  return vscode.commands.executeCommand<unknown>('typescript.tsserverRequest', request, { file });
}

/** Returns the facts about the language of a file, as VS Code's extensions declare languages. */
export class Languages {
  readonly #known = new Map<string, LanguageFacts>();
  readonly #byExtension = new Map<string, string>();
  readonly #served = new Set<string>();

  constructor() {
    for (const { packageJSON } of vscode.extensions.all) {
      const { contributes, activationEvents } = packageJSON;
      for (const entry of list(object(contributes).languages)) {
        const { id, extensions, filenames } = object(entry);
        for (const name of [...list(extensions), ...list(filenames)])
          if (text(id) !== undefined) this.#byExtension.set(keyOf(String(name)), String(id));
      }
      for (const event of list(activationEvents))
        if (String(event).startsWith('onLanguage:')) this.#served.add(String(event).slice(11));
    }
  }

  /** Returns the facts about a document's language; all files that VS Code takes for that language belong to it. */
  of(file: string, languageId: string): LanguageFacts {
    if (isTypescript(languageId)) return typescript;
    const known = this.#known.get(languageId) ?? this.#generic(languageId);
    this.#known.set(languageId, known);
    const { extensions } = known.definition;
    const key = path.extname(file).slice(1) || path.basename(file);
    if (Object.hasOwn(extensions, key)) return known;
    const more = {
      ...known,
      definition: { ...known.definition, extensions: { ...extensions, [key]: languageId } },
    };
    this.#known.set(languageId, more);
    return more;
  }

  /** Returns the language of a file that is not open, as far as its name tells. */
  idOf(file: string): string | undefined {
    const extension = path.extname(file).slice(1);
    if (Object.hasOwn(typescriptExtensions, extension)) return 'typescript';
    return this.#byExtension.get(path.basename(file)) ?? this.#byExtension.get(extension);
  }

  /** True if an extension says that it serves this language; others may all the same. */
  isServed(languageId: string): boolean {
    return isTypescript(languageId) || this.#served.has(languageId);
  }

  /** Nothing is known of its projects, so a search opens every file that mentions the name: open ones are seen for certain. */
  #generic(languageId: string): LanguageFacts {
    const own = [...this.#byExtension].filter(([, id]) => id === languageId);
    const definition: ServerDefinition = {
      id: `vscode (${languageId})`,
      extensions: Object.fromEntries(own),
      program: { sources: [], args: [] },
      ready: { kind: 'immediate' },
      projects: { ofFile: () => () => undefined },
      install: 'Install an extension of VS Code for this language.',
    };
    return { definition };
  }
}

function isTypescript(languageId: string): boolean {
  return /^(type|java)script(react)?$/.test(languageId);
}

function keyOf(name: string): string {
  return name.startsWith('.') ? name.slice(1) : name;
}
