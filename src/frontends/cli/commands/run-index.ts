import path from 'node:path';
import { stateFolder } from '../../../config/state-folder.ts';
import { checkTrust } from '../../../config/trust/check-trust.ts';
import { readTrustFile, trustFileIn } from '../../../config/trust/trust-file.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { ChosenIndexer, ImportProgress, IndexCheck, StoredIndex } from '../../../manage-indexes.ts';
import { escapeControls } from '../../observe/log.ts';
import { waitingLine } from '../../observe/terminal.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { printNotice } from '../print.ts';
import { type ProcessContext, readSettings } from '../read-settings.ts';
import { isYes, openTerminal, type Terminal } from '../terminal.ts';
import { usageError } from '../usage-error.ts';

type IndexCommand = Extract<CommandLine, { readonly kind: 'index' }>;
type Manage = typeof import('../../../manage-indexes.ts');
type Settings = Parameters<Manage['listIndexes']>[0];

/** Runs `lspan index`: adds, makes, lists, removes or checks indexes of repositories; returns the exit code. */
export async function runIndex(
  command: IndexCommand,
  context: ProcessContext,
  terminal: Terminal = openTerminal(),
): Promise<number> {
  const { flags } = command;
  const { bridge, roots, close } = await readSettings(
    flags,
    { surface: 'lspan', survivesFaults: false },
    context,
  );
  const settings = { ...bridge, roots, environment: context.environment };
  const manage = await import('../../../manage-indexes.ts');
  return actions[command.action]({ command, context, terminal, settings, manage }).finally(close);
}

interface IndexRun {
  readonly command: IndexCommand;
  readonly context: ProcessContext;
  readonly terminal: Terminal;
  readonly settings: Settings;
  readonly manage: Manage;
}

const actions: Readonly<Record<IndexCommand['action'], (run: IndexRun) => Promise<number>>> = {
  add: async (run) => {
    const { command, context, settings, manage } = run;
    const { repository, commit, noText } = command.flags;
    const file = path.resolve(context.cwd, command.words[0] ?? '');
    const added = await withProgress(run, `reading ${path.basename(file)}`, (report) =>
      manage.addIndex(settings, { file, repository, commit, keepsTexts: !noText, report }),
    );
    await tellAdded(run, [added]);
    return 0;
  },
  build: async (run) => build(run),
  list: async ({ command, terminal, settings, manage }) => {
    const { place, indexes } = await manage.listIndexes(settings);
    const text =
      indexes.length === 0 ? `No repository is indexed in ${place}.\n` : indexes.map(describe).join('');
    await terminal.write(
      command.flags.json ? `${JSON.stringify({ place, indexes: indexes.map(toData) })}\n` : text,
    );
    return 0;
  },
  remove: async ({ command, terminal, settings, manage }) => {
    const [repository = ''] = command.words;
    await manage.removeIndex(settings, repository);
    await terminal.write(`The index of ${repository} is removed.\n`);
    return 0;
  },
  verify: async ({ command, terminal, settings, manage }) => {
    const check = await manage.verifyIndexes(settings);
    await terminal.write(command.flags.json ? `${JSON.stringify(checkData(check))}\n` : describeCheck(check));
    return check.faults.length === 0 ? 0 : 1;
  },
};

/** Runs the indexers that are installed. They read the repository's configuration, and may run its code. */
async function build(run: IndexRun): Promise<number> {
  const { command, settings, manage, terminal } = run;
  if (settings.roots.length === 0)
    throw usageError('No project is here: give a folder with --workspace.', 'index');
  const chosen = manage.indexersHere(settings);
  const installed = chosen.flatMap(({ indexer, program }) =>
    program === undefined ? [] : [{ indexer, program }],
  );
  for (const { indexer } of chosen.filter(({ program }) => program === undefined))
    printNotice(`${indexer.name} is not installed: ${indexer.install}`);
  if (installed.length === 0) throw noIndexer(chosen);
  if (!command.flags.yes) await checkTrusted(run, installed);
  const added: StoredIndex[] = [];
  for (const one of installed) {
    const onLine = (line: string) => printNotice(`${one.indexer.name}: ${escapeControls(line)}`);
    const options = { onLine, keepsTexts: !command.flags.noText };
    added.push(
      await withProgress(run, `${one.indexer.name} is running`, (report) =>
        manage.buildIndex(settings, one, { ...options, report }),
      ),
    );
  }
  await tellAdded({ terminal, command }, added);
  return 0;
}

/** Throws unless the user has trusted the folder as it is, or says so now. */
async function checkTrusted(
  { context, settings, terminal }: IndexRun,
  installed: readonly ChosenIndexer[],
): Promise<void> {
  const [root = ''] = settings.roots;
  if (await isTrusted(root, settings, context)) return;
  const names = installed.map(({ indexer }) => indexer.name).join(', ');
  const question = `${names} will read the configuration of ${root} and may run its code. Do you trust it? [y/N] `;
  if (terminal.ask !== undefined && isYes(await terminal.ask(question))) return;
  throw new LspanError('refused', `${names} may run code of ${root}, which you have not trusted.`, {
    nextStep: 'Review the folder, then run: lspan trust, or lspan index build --yes',
  });
}

async function isTrusted(
  root: string,
  settings: Settings,
  { environment }: ProcessContext,
): Promise<boolean> {
  const { records } = readTrustFile(trustFileIn(stateFolder(environment)));
  const record = records.find((one) => one.root === root);
  if (!record) return false;
  const { offerTrust } = await import('../../../offline.ts');
  const { servers } = offerTrust({ ...settings, root });
  return servers.every(({ id, bound }) => checkTrust(record, id, bound).granted);
}

function noIndexer(chosen: readonly ChosenIndexer[]): LspanError {
  const [first] = chosen;
  const message = first
    ? `${first.indexer.name} is not installed.`
    : 'No indexer is known for the files here.';
  const nextStep = first
    ? `Install it: ${first.indexer.install}`
    : 'Make a SCIP index with another indexer, then run: lspan index add FILE.scip';
  return new LspanError('not_installed', message, { nextStep });
}

async function withProgress<T>(
  { context }: Pick<IndexRun, 'context'>,
  what: string,
  work: (report: (progress: ImportProgress) => void) => Promise<T>,
): Promise<T> {
  const waiting = waitingLine(process.stderr, context.environment, what);
  const report = ({ bytes, of, documents }: ImportProgress) =>
    waiting.show(`${Math.floor((100 * bytes) / Math.max(1, of))} % of the index, ${documents} files`);
  return work(report).finally(() => waiting.clear());
}

async function tellAdded(
  { terminal, command }: Pick<IndexRun, 'terminal' | 'command'>,
  added: readonly StoredIndex[],
): Promise<void> {
  const text = added.map((one) => `Added: ${describe(one)}`).join('');
  await terminal.write(command.flags.json ? `${JSON.stringify({ added: added.map(toData) })}\n` : text);
}

function describe({
  repository,
  commit,
  time,
  tool,
  documents,
  occurrences,
  unverified,
}: StoredIndex): string {
  const at = commit === '' ? '' : `@${commit.slice(0, 12)}`;
  const when = time.slice(0, 16).replace('T', ' ');
  const without = unverified === 0 ? '' : `, ${unverified} without their text`;
  return `${escapeControls(`${repository}${at}  ${when}  ${tool}, ${documents} files${without}, ${occurrences} places`)}\n`;
}

function toData({ repository, commit, time, tool, documents, occurrences, unverified }: StoredIndex) {
  return { repository, commit, time, tool, documents, occurrences, unverified };
}

function checkData({ indexes, ...check }: IndexCheck) {
  return { ...check, indexes: indexes.map(toData) };
}

function describeCheck({ faults, repository, indexes, changed, missing }: IndexCheck): string {
  const store = faults.length === 0 ? ['The store is whole.'] : faults;
  const own =
    indexes.length === 0
      ? [`${repository ?? 'This folder'} is not indexed.`]
      : [
          `${repository}: ${changed.length} of ${filesOf(indexes)} files have changed since, ${missing.length} are gone.`,
          ...[...changed, ...missing].slice(0, limits.index.shownFiles).map((file) => `  ${file}`),
        ];
  return `${[...store, ...own].map(escapeControls).join('\n')}\n`;
}

function filesOf(indexes: readonly StoredIndex[]): number {
  return indexes.reduce((sum, { documents }) => sum + documents, 0);
}
