import type { ServerStatus } from '../../core/backend.ts';
import { visibleLine } from '../../core/wording/visible.ts';
import type { HostServer } from './host-api.ts';

/** Converts the state of a server for a program around lspan, with its root if there are several. */
export function hostServer(status: ServerStatus, withRoot: boolean): HostServer {
  const { id, root, state } = status;
  const detail = details[state](status).map(asSentence).join(' ');
  return {
    serverId: id,
    state: states[state],
    detail: visibleLine(withRoot ? `${root}: ${detail}` : detail),
  };
}

const states: Readonly<Record<ServerStatus['state'], HostServer['state']>> = {
  ready: 'ok',
  running: 'ok',
  starting: 'starting',
  indexing: 'starting',
  not_started: 'idle',
  stopped: 'idle',
  crashed: 'broken',
  not_installed: 'broken',
  not_trusted: 'broken',
};

const details: Readonly<Record<ServerStatus['state'], (status: ServerStatus) => readonly string[]>> = {
  ready: (status) => [`Ready${programOf(status)}`, ...caveats(status)],
  running: (status) => [`Runs${programOf(status)}`, ...caveats(status)],
  starting: () => ['Starts'],
  indexing: ({ loading, ...status }) => [
    `Reads the project${programOf(status)}${loading ? `, for ${loading.seconds} s so far` : ''}`,
    ...(loading?.doing ? [`It says: ${loading.doing}`] : []),
  ],
  not_started: ({ standbyFor }) => [
    standbyFor === undefined
      ? 'Starts when it is needed'
      : `Stands by: ${standbyFor} is asked while it is there`,
  ],
  stopped: () => ['Stopped; starts again when it is needed'],
  crashed: ({ lastErrors, leftAloneSeconds }) => [
    ...(lastErrors.length > 0 ? lastErrors : ['Crashed']),
    leftAloneSeconds === undefined
      ? 'It is started again when it is needed'
      : `It is tried again in ${leftAloneSeconds} s`,
  ],
  not_installed: ({ lastErrors, install }) => [
    ...(lastErrors.length > 0 ? lastErrors : ['Not installed']),
    ...(install ? [install] : []),
  ],
  not_trusted: ({ lastErrors }) => (lastErrors.length > 0 ? lastErrors : ['Not trusted']),
};

/** Renders ` (name 1.2, 80 MB)`. */
function programOf({ version, memoryBytes }: Pick<ServerStatus, 'version' | 'memoryBytes'>): string {
  const memory = memoryBytes === undefined ? [] : [`${Math.round(memoryBytes / 1024 ** 2)} MB`];
  const facts = [...(version === undefined ? [] : [version]), ...memory];
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`;
}

function caveats({ doubts }: ServerStatus): readonly string[] {
  if (doubts.length === 0) return [];
  return ['What it tells may be incomplete', ...doubts.map(({ detail }) => detail)];
}

/** Adds a full stop, except to an address, which it would change. */
function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?]$|https?:\S+$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
