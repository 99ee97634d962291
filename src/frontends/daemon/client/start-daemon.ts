import type { Environment } from '../../../config/user-file.ts';
import type { Build } from '../../../platform/files/identity-files.ts';
import { startDetached } from '../../../platform/processes/detached-process.ts';
import { startWords } from '../start-words.ts';

/** How the start of a daemon ended: it listens, another one is starting or hangs, or why it failed. */
export type Started = 'ready' | 'taken' | { readonly failure: string };

/** Starts the daemon of a build, which outlives this process. */
export async function startDaemon({ executable }: Build, environment: Environment): Promise<Started> {
  const started = await startDetached(process.execPath, [executable, 'daemon'], daemonVariables(environment));
  if ('fault' in started) return { failure: started.fault };
  const { line } = started;
  if (line === startWords.ready || line === startWords.taken) return line;
  return { failure: line.replace(startWords.failed, '').trim() || 'it ended at once' };
}

/** A daemon serves clients with other variables: it gets those that say where its state is, and no temporary folder. */
function daemonVariables(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && passed.test(name) ? [[name, value] as const] : [],
    ),
  );
}

const passed =
  /^(?:HOME|USER|LOGNAME|PATH|LANG|LC_.*|TZ|XDG_(?:STATE|CONFIG|CACHE|DATA)_HOME|SYSTEMROOT|SystemRoot|WINDIR|USERPROFILE|APPDATA|LOCALAPPDATA|COMSPEC)$/;
