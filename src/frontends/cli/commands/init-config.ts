import { existsSync } from 'node:fs';
import path from 'node:path';
import { repositoryFileNames } from '../../../config/config-files.ts';
import { type FileOwner, starterFile } from '../../../config/schema/starter-file.ts';
import { configFolder, findUserFile } from '../../../config/user-file.ts';
import { LspanError } from '../../../core/errors.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { readClientFile, writeClientFile } from '../../setup/client-file.ts';
import type { Flags } from '../parse-flags.ts';
import type { ProcessContext } from '../read-settings.ts';

/** Writes a configuration file in which every key is commented out; returns what to tell the user. Replaces none. */
export function initConfig(flags: Flags, context: ProcessContext): string {
  const owner: FileOwner = flags.user ? 'user' : 'repository';
  const { file, there, within } = flags.user ? userPlace(context) : repositoryPlace(flags, context);
  if (there !== undefined) throw isThere(there);
  // A link to nothing is no file, and must not be followed out of the workspace.
  const read = readClientFile(file, within);
  if (read.bytes !== undefined) throw isThere(file);
  writeClientFile(read, starterFile(owner));
  const whose =
    owner === 'user' ? 'for all workspaces of yours' : 'for everybody who works in this repository';
  return `Wrote ${file}, ${whose}. It changes nothing yet: remove the # before a key to set it.\n`;
}

interface InitPlace {
  readonly file: string;
  /** A file that lspan reads already. */
  readonly there: string | undefined;
  readonly within?: string;
}

function userPlace({ environment }: ProcessContext): InitPlace {
  const folder = configFolder(environment, process.platform);
  return { file: path.join(folder, 'config.toml'), there: findUserFile(environment) };
}

function repositoryPlace(flags: Flags, context: ProcessContext): InitPlace {
  const { roots } = findWorkspace({ ...context, flags: flags.workspace, wide: flags.wideWorkspace });
  const [root] = roots.map((one) => realFile(one)?.path ?? one);
  if (root === undefined) {
    const nextStep = 'Go to the folder of a project, or use --user.';
    throw new LspanError('invalid_input', `There is no workspace here. ${nextStep}`, { nextStep });
  }
  const files = repositoryFileNames.map((name) => path.join(root, name));
  return { file: path.join(root, 'lspan.toml'), there: files.find((one) => existsSync(one)), within: root };
}

function isThere(file: string): LspanError {
  const nextStep = `Change that, or move it away first.`;
  return new LspanError('refused', `${file} exists already: nothing was written. ${nextStep}`, { nextStep });
}
