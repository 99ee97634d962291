import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { stateFolder } from '../../../config/state-folder.ts';
import {
  readTrustFile,
  removeTrust,
  type TrustRecord,
  trustFileIn,
} from '../../../config/trust/trust-file.ts';
import { checkOffer, type TrustOffer, writeTrustOf } from '../../../config/trust/write-trust.ts';
import { LspanError } from '../../../core/errors.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { createLog, escapeControls } from '../../observe/log.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';
import { describeOffer, describeRecord, isKept } from './trust-texts.ts';

type Trusting = Extract<CommandLine, { readonly kind: 'trust' }>;

/** Whoever can be asked. */
export interface Person {
  /** The answer to a question; none where nobody sits there. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly tell: (text: string) => Promise<void>;
}

/** Shows, grants, lists or revokes trust; returns the exit code. */
export async function runTrust(
  command: Trusting,
  around: ProcessContext,
  person: Person = atTerminal(),
): Promise<number> {
  const { list, revoke } = command.flags;
  if (list) return await listAll(command, around, person);
  const root = folderOf(command, around);
  if (revoke) return await revokeOne(root, around, person);
  return await grantOne(root, command, around, person);
}

async function grantOne(
  root: string,
  command: Trusting,
  around: ProcessContext,
  { ask, tell }: Person,
): Promise<number> {
  const offer = await offerOf(root, command, around);
  if (offer.servers.length === 0) {
    await tell(`No server that lspan knows would run anything of ${root}: there is nothing to trust.\n`);
    return 0;
  }
  const record = recordsOf(around).find((one) => one.root === root);
  await tell(describeOffer(offer, record));
  checkOffer(offer, around.environment);
  if (isKept(offer, record)) {
    await tell('It is trusted already, and nothing has changed since.\n');
    return 0;
  }
  if (!command.flags.yes && !(await agrees(root, ask))) {
    await tell('Nothing was changed.\n');
    return 1;
  }
  writeTrustOf(offer, around.environment);
  await tell(`Trusted ${root}.\n`);
  return 0;
}

async function agrees(root: string, ask: Person['ask']): Promise<boolean> {
  if (ask === undefined) throw nobodyThere(root);
  return /^\s*y(es)?\s*$/i.test(await ask('Have you looked at these files, and do you trust them? [y/N] '));
}

async function revokeOne(root: string, around: ProcessContext, { tell }: Person): Promise<number> {
  const known = recordsOf(around).some((record) => record.root === root);
  if (known) removeTrust(fileOf(around), root);
  await tell(known ? `${root} is no longer trusted.\n` : `${root} was not trusted.\n`);
  return 0;
}

async function listAll(command: Trusting, around: ProcessContext, { tell }: Person): Promise<number> {
  const records = recordsOf(around);
  if (records.length === 0) await tell('No folder is trusted.\n');
  for (const record of records) {
    const there = realFile(record.root)?.stats.isDirectory() ?? false;
    const offer = there ? await offerOf(record.root, command, around) : undefined;
    await tell(describeRecord(record, offer));
  }
  return 0;
}

/** A file that cannot be believed is told, not skipped: the user may think that something is trusted. */
function recordsOf(around: ProcessContext): readonly TrustRecord[] {
  const { records, wrong } = readTrustFile(fileOf(around));
  if (wrong === undefined) return records;
  throw new LspanError('refused', wrong, { nextStep: 'Put that right, or remove the file.' });
}

function fileOf({ environment }: ProcessContext): string {
  return trustFileIn(stateFolder(environment));
}

async function offerOf(root: string, { flags }: Trusting, around: ProcessContext): Promise<TrustOffer> {
  const { offerTrust } = await import('../../../offline.ts');
  const configFile = flags.config === undefined ? {} : { configFile: path.resolve(around.cwd, flags.config) };
  const log = createLog({ level: 'error', format: 'human' });
  return offerTrust({ root, environment: around.environment, log, ...configFile });
}

/** The folder that is named, or the workspace that lspan would choose here; what a client's variables say does not count. */
function folderOf({ folder, flags }: Trusting, { cwd, home }: ProcessContext): string {
  if (folder !== undefined && flags.revoke) {
    const given = path.resolve(cwd, folder);
    return realFile(given)?.path ?? given;
  }
  const flagged = folder === undefined ? [] : [folder];
  const [root] = findWorkspace({ flags: flagged, environment: {}, cwd, home }).roots;
  if (root !== undefined) return realFile(root)?.path ?? root;
  throw new LspanError(
    'invalid_input',
    'There is no project around the current folder. Name one: lspan trust DIR.',
    {
      nextStep: 'Name the folder: lspan trust DIR.',
    },
  );
}

function nobodyThere(root: string): LspanError {
  return new LspanError(
    'invalid_input',
    `Nothing was changed: there is no terminal to ask at. Once you have looked at the files: lspan trust ${JSON.stringify(root)} --yes`,
    { nextStep: 'A person who has looked at the files can run it with --yes.' },
  );
}

function atTerminal(): Person {
  const { stdin, stderr } = process;
  const ask = async (question: string) => {
    const reader = createInterface({ input: stdin, output: stderr });
    // Whoever ends the input or interrupts has not agreed.
    const left = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    return await Promise.race([reader.question(question), left]).finally(() => reader.close());
  };
  return { ask: stdin.isTTY ? ask : undefined, tell: (text) => print(visibleLines(text)) };
}

/** The names of files are the repository's own words. */
function visibleLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n');
}
