import path from 'node:path';
import { stateFolder } from '../../../config/state-folder.ts';
import { checkTrust, differences } from '../../../config/trust/check-trust.ts';
import {
  readTrustFile,
  removeTrust,
  type TrustRecord,
  trustFileIn,
} from '../../../config/trust/trust-file.ts';
import {
  checkOffer,
  type OfferedServer,
  type TrustOffer,
  writeTrustOf,
} from '../../../config/trust/write-trust.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import { quotePath } from '../../../core/wording/quote-path.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { createLog } from '../../observe/log.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { ProcessContext } from '../read-settings.ts';
import { isYes, openTerminal, type Terminal } from '../terminal.ts';

type TrustCommand = Extract<CommandLine, { readonly kind: 'trust' }>;

/** Runs `lspan trust`: grants, lists or revokes trust; returns the exit code. */
export async function runTrust(
  command: TrustCommand,
  context: ProcessContext,
  terminal: Terminal = openTerminal(),
): Promise<number> {
  const { list, revoke } = command.flags;
  if (list) return await listAll(command, context, terminal);
  const root = folderOf(command, context);
  if (revoke) return await revokeOne(root, context, terminal);
  return await grantOne(root, command, context, terminal);
}

async function grantOne(
  root: string,
  command: TrustCommand,
  context: ProcessContext,
  { ask, write }: Terminal,
): Promise<number> {
  const offer = await offerOf(root, command, context);
  if (offer.servers.length === 0) {
    await write(`No server that lspan knows would run code of ${root}: there is nothing to trust.\n`);
    return 0;
  }
  const record = recordsOf(context).find((one) => one.root === root);
  await write(describeOffer(offer, record));
  checkOffer(offer, context.environment);
  if (isKept(offer, record)) {
    await write('It is already trusted and has not changed since.\n');
    return 0;
  }
  if (!command.flags.yes && !(await confirms(root, ask))) {
    await write('Nothing was changed.\n');
    return 1;
  }
  writeTrustOf(offer, context.environment);
  await write(`Trusted ${root}.\n`);
  return 0;
}

async function confirms(root: string, ask: Terminal['ask']): Promise<boolean> {
  if (ask === undefined) throw noTerminal(root);
  return isYes(await ask('Have you reviewed these files, and do you trust them? [y/N] '));
}

async function revokeOne(root: string, context: ProcessContext, { write }: Terminal): Promise<number> {
  const known = recordsOf(context).some((record) => record.root === root);
  if (known) removeTrust(fileOf(context), root);
  await write(known ? `${root} is no longer trusted.\n` : `${root} was not trusted.\n`);
  return 0;
}

async function listAll(command: TrustCommand, context: ProcessContext, { write }: Terminal): Promise<number> {
  const records = recordsOf(context);
  if (records.length === 0) await write('No folder is trusted.\n');
  for (const record of records) {
    const exists = realFile(record.root)?.stats.isDirectory() ?? false;
    const offer = exists ? await offerOf(record.root, command, context) : undefined;
    await write(describeRecord(record, offer));
  }
  return 0;
}

/** Throws for a trust file that is not believed, since the user may think that something is trusted. */
function recordsOf(context: ProcessContext): readonly TrustRecord[] {
  const { records, wrong } = readTrustFile(fileOf(context));
  if (wrong === undefined) return records;
  throw new LspanError('refused', wrong, { nextStep: 'Fix that, or remove the file.' });
}

function fileOf({ environment }: ProcessContext): string {
  return trustFileIn(stateFolder(environment));
}

async function offerOf(root: string, { flags }: TrustCommand, context: ProcessContext): Promise<TrustOffer> {
  const { offerTrust } = await import('../../../offline.ts');
  const configFile =
    flags.config === undefined ? {} : { configFile: path.resolve(context.cwd, flags.config) };
  const log = createLog({ level: 'error', format: 'human' });
  return offerTrust({ root, environment: context.environment, log, ...configFile });
}

/** Returns the given folder, or the workspace that lspan would choose here; ignores variables of MCP clients. */
function folderOf({ folder, flags }: TrustCommand, { cwd, home }: ProcessContext): string {
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

function noTerminal(root: string): LspanError {
  return new LspanError(
    'invalid_input',
    `Nothing was changed: there is no terminal to ask on. After reviewing the files: lspan trust ${JSON.stringify(root)} --yes`,
    { nextStep: 'After reviewing the files, the user can run it with --yes.' },
  );
}

/** Renders an offer for the user's decision: what each server would run, and which files determine it. */
export function describeOffer(offer: TrustOffer, record: TrustRecord | undefined): string {
  const servers = offer.servers.map((server) => describeServer(server, record));
  const means =
    'If you trust it, these servers run what those files say, with your rights, until one of them changes.\nCode that these files load is not watched: review it too.';
  return [offer.root, ...servers, means, ''].join('\n');
}

/** Renders a trust record, and whether it is still in effect. */
export function describeRecord(record: TrustRecord, offer: TrustOffer | undefined): string {
  const states = record.servers.map(({ id, files }) => {
    const server = offer?.servers.find((one) => one.id === id);
    const trust = server && checkTrust(record, id, server.bound);
    const state = trust?.granted ? 'valid' : (trust?.reason ?? (offer ? 'not needed now' : gone));
    return `  ${id}, ${files.length === 1 ? '1 file' : `${files.length} files`}: ${state}`;
  });
  return [`${record.root}, trusted ${record.when.slice(0, 10)}`, ...states, ''].join('\n');
}

/** True if the offer was accepted before and is unchanged. */
export function isKept({ servers }: TrustOffer, record: TrustRecord | undefined): boolean {
  return record !== undefined && servers.every(({ id, bound }) => checkTrust(record, id, bound).granted);
}

const gone = 'the folder is gone';

function describeServer({ id, runs, bound }: OfferedServer, record: TrustRecord | undefined): string {
  const files = [...bound.files.keys()].map(quotePath);
  const before = record?.servers.find((one) => one.id === id);
  const changes = before === undefined ? [] : differences(new Map(before.files), bound);
  return [
    `  ${runs}`,
    `    ${files.length === 0 ? 'bound to no file' : `bound to ${shorten(files)}`}`,
    ...(changes.length === 0 ? [] : [`    since it was trusted: ${shorten(changes)}`]),
  ].join('\n');
}

function shorten(items: readonly string[]): string {
  const shown = items.slice(0, limits.trust.shown);
  const more = items.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')}, and ${more} more`;
}
