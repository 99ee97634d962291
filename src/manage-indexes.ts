import path from 'node:path';
import { importIndex } from './backends/index/import/import-index.ts';
import type { IndexStore, StoredIndex } from './backends/index/store/index-store.ts';
import { programInPath } from './backends/lsp/process/find-program.ts';
import type { BridgeSettings } from './bridge-settings.ts';
import { loadConfig } from './config/load-config.ts';
import { LspanError } from './core/errors.ts';
import { limits } from './core/limits.ts';
import type { CancelSignal } from './core/runtime/cancellation.ts';
import { effectiveConfig } from './effective-config.ts';
import { openIndexStore, repositoryFacts } from './open-index.ts';
import { fileFacts } from './platform/files/file-facts.ts';
import { TemporaryFolder } from './platform/files/private-folder.ts';
import { ByteReader } from './platform/large-files/byte-reader.ts';
import { openCommit } from './platform/processes/commit-files.ts';
import { runProgram } from './platform/processes/run-program.ts';
import { AllowedFolders } from './workspace/gate/allowed-folders.ts';
import { readInside } from './workspace/gate/read-inside.ts';
import { holdsSecrets } from './workspace/gate/secret-files.ts';
import { type Document, decodeDocument } from './workspace/texts/document.ts';

export type { StoredIndex } from './backends/index/store/index-store.ts';

/** The settings of a command about indexes; the first root is the repository that is meant. */
type IndexSettings = Omit<BridgeSettings, 'surface'>;

/** Progress of an import. */
export interface ImportProgress {
  readonly bytes: number;
  readonly of: number;
  readonly documents: number;
}

/** How an index is added. */
export interface AddOptions {
  readonly file: string;
  /** Default: what git's files say of the workspace. */
  readonly repository?: string | undefined;
  readonly commit?: string | undefined;
  readonly keepsTexts: boolean;
  /** When the indexer was started, in milliseconds since 1970: what was changed later may not be what it has read. */
  readonly begun?: number | undefined;
  readonly report: (progress: ImportProgress) => void;
  readonly signal?: CancelSignal | undefined;
}

/** Adds an index to the store: all of it or nothing. */
export async function addIndex(settings: IndexSettings, options: AddOptions): Promise<StoredIndex> {
  const [folder] = settings.roots;
  const here = folder === undefined ? undefined : repositoryFacts(folder);
  const repository = options.repository ?? here?.name;
  if (repository === undefined)
    throw new LspanError('invalid_input', 'It is not known which repository the index is of.', {
      nextStep: 'Run it in the repository, or give --repository NAME and --commit SHA.',
    });
  const isHere = here !== undefined && repository === here.name;
  const file = new ByteReader(options.file);
  const texts = await textsOf(settings, isHere ? here.root : undefined, options);
  const add = (store: IndexStore) =>
    importIndex(store, {
      ...{ file, repository, keepsTexts: options.keepsTexts, report: options.report, signal: options.signal },
      commit: options.commit ?? (isHere ? (here.commit ?? '') : ''),
      mustFit:
        isHere && (texts.areOfCommit || options.commit === undefined || options.commit === here.commit),
      read: texts.read,
    });
  return withStore(settings, add).finally(() => {
    file.close();
    texts.close();
  });
}

/** The texts that an index was made of, as far as they are here. */
interface IndexedTexts {
  readonly areOfCommit: boolean;
  read(path: string): Document | undefined | Promise<Document | undefined>;
  close(): void;
}

/** Returns the texts of the commit that the user names, or else those of the working tree. */
async function textsOf(
  { roots, environment = process.env }: IndexSettings,
  root: string | undefined,
  { commit, begun }: Pick<AddOptions, 'commit' | 'begun'>,
): Promise<IndexedTexts> {
  if (root === undefined) return { areOfCommit: false, read: () => undefined, close: () => {} };
  const git = programInPath('git', { roots: [...roots, root], environment });
  const isNamed = commit !== undefined && /^[0-9a-f]{7,64}$/i.test(commit);
  const files =
    isNamed && git !== undefined
      ? await openCommit({ git, repository: root, environment }, commit)
      : undefined;
  if (files === undefined) return { areOfCommit: false, read: readerOf(root, begun), close: () => {} };
  const onDisk = readerOf(root);
  const read = async (name: string) => {
    const bytes = holdsSecrets(`/${name}`) ? undefined : await files.read(name);
    const document = bytes && bytes.length <= limits.indexedFile ? decoded(name, bytes) : undefined;
    const here = document && onDisk(name);
    // Git may write other line ends than it keeps: the file is the same.
    return here && sameButForLineEnds(here.text, document.text) ? here : document;
  };
  return { areOfCommit: true, read, close: () => files.close() };
}

/** Returns the indexes of the store, and where that is. */
export function listIndexes(
  settings: IndexSettings,
): Promise<{ readonly place: string; readonly indexes: readonly StoredIndex[] }> {
  return withStore(settings, async (store) => ({ place: store.place, indexes: await store.list() }));
}

/** Removes the index of a repository. Throws `not_found` if there is none. */
export function removeIndex(settings: IndexSettings, repository: string): Promise<void> {
  return withStore(settings, async (store) => {
    if ((await store.remove(repository)) > 0) return;
    throw new LspanError('not_found', `${JSON.stringify(repository)} is not indexed.`, {
      nextStep: 'lspan index list names the indexed repositories.',
    });
  });
}

/** What is wrong with the store, and which files of this repository have changed since they were indexed. */
export interface IndexCheck {
  readonly faults: readonly string[];
  readonly repository: string | undefined;
  readonly indexes: readonly StoredIndex[];
  readonly changed: readonly string[];
  readonly missing: readonly string[];
}

/** Checks the store, and compares the index of this repository with its files. */
export function verifyIndexes(settings: IndexSettings): Promise<IndexCheck> {
  return withStore(settings, async (store) => {
    const faults = await store.verify();
    const [folder] = settings.roots;
    const here = folder === undefined ? undefined : repositoryFacts(folder);
    const indexes = (await store.list()).filter(({ repository }) => repository === here?.name);
    const [changed, missing]: [string[], string[]] = [[], []];
    const read = here && readerOf(here.root);
    const documents = await Promise.all(indexes.map(({ id }) => store.documents(id)));
    for (const { path: file, hash } of documents.flat()) {
      const now = read?.(file)?.hash;
      if (now === undefined) missing.push(file);
      else if (now !== hash) changed.push(file);
    }
    return { faults, repository: here?.name, indexes, changed, missing };
  });
}

/** A program that makes indexes. */
export interface Indexer {
  readonly name: string;
  /** Files at the top of a repository for which it is run. */
  readonly markers: readonly string[];
  readonly args: (output: string) => readonly string[];
  readonly install: string;
}

/** The known indexers. */
export const indexers: readonly Indexer[] = [
  {
    name: 'scip-typescript',
    markers: ['tsconfig.json', 'jsconfig.json', 'package.json'],
    args: (output) => ['index', '--infer-tsconfig', '--output', output],
    install: 'npm install --global @sourcegraph/scip-typescript',
  },
  {
    name: 'scip-python',
    markers: ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt'],
    args: (output) => ['index', '--output', output],
    install: 'npm install --global @sourcegraph/scip-python',
  },
  {
    name: 'rust-analyzer',
    markers: ['Cargo.toml'],
    args: (output) => ['scip', '.', '--output', output],
    install: 'rustup component add rust-analyzer',
  },
];

/** An indexer that is meant for a repository, and where its program is. */
export interface ChosenIndexer {
  readonly indexer: Indexer;
  /** `undefined` if it is not installed. A program in the repository is never used. */
  readonly program: string | undefined;
}

/** Returns the indexers for the files at the top of the workspace. Runs nothing. */
export function indexersHere({ roots, environment = process.env }: IndexSettings): readonly ChosenIndexer[] {
  const [folder = ''] = roots;
  const { root } = repositoryFacts(folder);
  const read = readerOf(root);
  return indexers
    .filter(({ markers }) => markers.some((marker) => read(marker) !== undefined))
    .map((indexer) => ({ indexer, program: programInPath(indexer.name, { roots, environment }) }));
}

/** How an indexer is run. */
interface BuildOptions extends Pick<AddOptions, 'report' | 'signal' | 'keepsTexts'> {
  readonly onLine: (line: string) => void;
}

/** Runs an indexer on the workspace, which the user trusts, and adds what it made. */
export async function buildIndex(
  settings: IndexSettings,
  { indexer, program }: ChosenIndexer & { readonly program: string },
  { onLine, ...options }: BuildOptions,
): Promise<StoredIndex> {
  const { roots, environment = process.env } = settings;
  const [root = ''] = roots;
  const { root: folder } = repositoryFacts(root);
  const own = new TemporaryFolder();
  // File systems note times in steps.
  const begun = Date.now() - limits.index.fileTime;
  const output = path.join(own.path, 'index.scip');
  const run = async () => {
    const code = await runProgram(program, indexer.args(output), { folder, environment, onLine });
    if (code !== 0)
      throw new LspanError(
        'server_crashed',
        `${indexer.name} failed${code === undefined ? '' : ` with code ${code}`}.`,
        {
          nextStep: 'Correct what it says above, then run it again. The earlier index is still there.',
        },
      );
    return addIndex(settings, { ...options, begun, file: output });
  };
  return run().finally(() => own.remove());
}

/**
 * Reads texts of a repository, but no secrets and nothing that lies outside of it. With a time, also nothing that was
 * changed after it.
 */
function readerOf(root: string, before = Number.POSITIVE_INFINITY): (file: string) => Document | undefined {
  const allowed = new AllowedFolders([root]);
  return (name) => {
    if (holdsSecrets(`/${name}`)) return undefined;
    const file = path.join(root, ...name.split('/'));
    const { mtimeMs = 0n, ctimeMs = 0n } = fileFacts(file) ?? {};
    if (mtimeMs >= before || ctimeMs >= before) return undefined;
    const read = readInside(allowed, file, limits.indexedFile);
    return read.kind === 'bytes' ? decoded(name, read.bytes) : undefined;
  };
}

function sameButForLineEnds(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

function decoded(name: string, bytes: Buffer): Document | undefined {
  const document = decodeDocument(name, bytes);
  return typeof document === 'string' ? undefined : document;
}

async function withStore<T>(settings: IndexSettings, use: (store: IndexStore) => Promise<T>): Promise<T> {
  const { environment = process.env, roots } = settings;
  const store = await openIndexStore(effectiveConfig(settings, loadConfig), environment, roots);
  return use(store).finally(() => store.close());
}
