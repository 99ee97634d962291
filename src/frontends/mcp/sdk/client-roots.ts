import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/server';
import type { Log } from '../../../core/log.ts';
import { object } from '../../../core/runtime/json.ts';
import { isTooWide } from '../../find-workspace.ts';

/**
 * Returns the client's workspace folders: none if it does not support roots (the 2026 revision dropped them),
 * undefined if it does not answer in time: roots are a bonus, never the only way to learn the workspace.
 */
export async function clientRoots(
  server: Server,
  time: number,
  log: Log,
): Promise<readonly string[] | undefined> {
  if (!server.getClientCapabilities()?.roots) return [];
  const answer = await server.listRoots(undefined, { timeout: time }).catch((error) => {
    log('warn', 'roots.unanswered', { error: String(error) });
    return undefined;
  });
  if (!answer) return undefined;
  const folders = answer.roots.flatMap(({ uri }) => localPath(uri, log));
  const chosen = folders.filter((folder) => !isTooWide(folder, homedir()));
  log('info', 'roots.from_client', { roots: folders, left_out: folders.length - chosen.length });
  return chosen;
}

/**
 * Returns the folders that a client names in the `_meta` of a call, instead of roots: Codex sends the workspaces of its
 * turn, in which a thread may have gone to another worktree.
 */
export function foldersSentWith(meta: unknown): readonly string[] {
  const { workspaces } = object(object(meta)['x-codex-turn-metadata']);
  const folders = Object.keys(object(workspaces)).filter((folder) => path.isAbsolute(folder));
  return folders.filter((folder) => !isTooWide(folder, homedir()));
}

function localPath(uri: string, log: Log): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch (error) {
    log('warn', 'roots.not_a_local_file', { uri, error: String(error) });
    return [];
  }
}
