import { readdirSync, statSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import type { Environment } from '../config/user-file.ts';
import { LspanError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { resultOrError } from '../core/runtime/result.ts';
import { cacheFolder } from '../platform/files/cache-folder.ts';
import { buildOf, moduleText } from '../platform/files/identity-files.ts';
import { removePrivateFile } from '../platform/files/private-file.ts';
import { closePrivateFolder, isOwnPlace } from '../platform/files/private-folder.ts';
import { type CompiledCode, readCodeFile, writeCodeFile } from './code-file.ts';
import { changeFlagsUntil } from './engine-flags.ts';

/**
 * Loads the modules of a built program as an earlier process has compiled them, and keeps what this one compiles for later
 * ones: to compile took a third of the first answer.
 */
export function cacheCode(script: string, environment: Environment): void {
  if (environment.NODE_DISABLE_COMPILE_CACHE) return;
  const executable = resultOrError(() => buildOf(script).executable);
  if (executable instanceof LspanError) return;
  const { extensions } = createRequire(executable);
  const chunks = path.join(path.dirname(executable), 'chunks');
  const load = extensions['.js'];
  const caches = new Map<number, CodeCache>();
  extensions['.js'] = (module, file) => {
    if (path.dirname(file) !== chunks) return load(module, file);
    const tag = cachedDataVersionTag();
    const cache = caches.get(tag) ?? new CodeCache(script, environment, tag);
    caches.set(tag, cache);
    cache.load(module, file);
  };
  process.once('exit', () => {
    for (const cache of caches.values()) resultOrError(() => cache.keep());
  });
}

/** The compiled code of a build, for one version of V8 with its settings. */
class CodeCache {
  readonly #file: string;
  readonly #script: string;
  /** The id of the build whose code this is. */
  readonly #build: string;
  /** V8 takes only code that was compiled under the same version and settings. */
  readonly #tag: number;
  /** What an earlier process has kept, for as long as modules are loaded: it takes as much memory as its file. */
  #held: CompiledCode | LspanError | undefined;
  readonly #scripts = new Map<string, { readonly script: Script; readonly stamp: string }>();
  #lacks = false;

  constructor(script: string, environment: Environment, tag: number) {
    this.#script = script;
    this.#build = buildOf(script).id;
    this.#tag = tag;
    const name = `${this.#build}-${process.version}-${process.arch}-${tag.toString(16)}`;
    this.#file = path.join(cacheFolder(environment), 'code', name);
  }

  #earlier(): CompiledCode | undefined {
    if (this.#held === undefined) {
      this.#held = resultOrError(() => readCodeFile(this.#file));
      const forget = () => {
        this.#held = undefined;
      };
      setTimeout(forget, limits.codeCache.held).unref();
    }
    return this.#held instanceof LspanError ? undefined : this.#held;
  }

  /** Loads a module as Node does, but for the compiled code. */
  load(module: NodeJS.Module, file: string): void {
    const name = path.basename(file);
    const stamp = stampOf(file);
    const known = this.#earlier()?.modules.get(name);
    // V8 compares only the length of the text.
    const cachedData = known?.stamp === stamp ? known.code : undefined;
    const script = new Script(Module.wrap(moduleText(file)), {
      filename: file,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined || script.cachedDataRejected) this.#lacks = true;
    this.#scripts.set(name, { script, stamp });
    const run: unknown = script.runInThisContext();
    if (typeof run !== 'function') throw new LspanError('internal', `${file} is no module.`);
    run.call(module.exports, module.exports, createRequire(file), module, file, path.dirname(file));
  }

  /** Keeps what was compiled so far, if an earlier process lacked a module, or did much less. */
  keep(): void {
    const earlier = this.#earlier();
    const work = process.cpuUsage().user / 1_000;
    const isKnown = earlier !== undefined && work < earlier.work * limits.codeCache.moreWork;
    if ((isKnown && !this.#lacks) || !changeFlagsUntil(() => cachedDataVersionTag() === this.#tag)) return;
    // Since an upgrade, modules may have come from another build.
    if (buildOf(this.#script).id !== this.#build) return;
    const folder = path.dirname(this.#file);
    if (!isOwnPlace(folder)) return;
    closePrivateFolder(folder);
    const own = Array.from(this.#scripts, ([name, { script, stamp }]) => {
      return [name, { stamp, code: script.createCachedData() }] as const;
    });
    const most = Math.max(work, earlier?.work ?? 0);
    writeCodeFile(this.#file, { work: most, modules: new Map([...(earlier?.modules ?? []), ...own]) });
    removeOld(folder);
  }
}

/** Returns what tells a file from the one that stood there before; the time of its text says nothing, as npm sets it. */
function stampOf(file: string): string {
  const { ino, size, ctimeMs } = statSync(file);
  return `${ino} ${size} ${ctimeMs}`;
}

/** Leaves the latest files: those of other builds and settings may be in use. */
function removeOld(folder: string): void {
  const files = readdirSync(folder).map((name) => path.join(folder, name));
  const dated = files.map((file) => ({
    file,
    time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  }));
  dated.sort((a, b) => b.time - a.time);
  for (const { file } of dated.slice(limits.codeCache.files)) removePrivateFile(file);
}
