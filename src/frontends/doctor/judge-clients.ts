import type { ExaminedClient, Finding } from './report.ts';

/** Judges what the files of the agents say about lspan, and names those that are not set up. */
export function judgeClients(examined: readonly ExaminedClient[]): readonly Finding[] {
  const told = examined.filter(({ file }) => file !== undefined).map(judgeClient);
  const others = examined.filter(({ file }) => file === undefined);
  if (others.length > 0)
    return [
      ...told,
      judgeOthers(
        others,
        examined.some(({ set_up }) => set_up),
      ),
    ];
  if (told.length > 0) return told;
  const text = 'no agent was found on this machine; lspan setup --list shows those that are known';
  return [{ area: 'client', subject: 'agents', level: 'ok', text }];
}

function judgeOthers(others: readonly ExaminedClient[], isAnySetUp: boolean): Finding {
  const text = `${others.map(({ title }) => title).join(', ')}: found, not set up for lspan`;
  return {
    ...{ area: 'client', subject: 'others', text },
    level: isAnySetUp ? 'ok' : 'warning',
    next_step: `lspan setup ${others.map(({ id }) => id).join(' ')}`,
  };
}

/** Judges one file of an agent. */
function judgeClient(client: ExaminedClient): Finding {
  const { id, scope, file = '', fault, command = [] } = client;
  const base = { area: 'client', subject: id } as const;
  const where = `${file} (${scope})`;
  const next_step = `lspan setup ${id}${scope === 'project' ? ' --scope project' : ''}`;
  if (fault !== undefined) {
    const correct = 'Correct that place in the file, and run lspan doctor again.';
    return {
      ...base,
      level: 'warning',
      text: `its file cannot be used: ${/^\d/.test(fault) ? `${file}:` : ''}${fault}`,
      next_step: correct,
    };
  }
  const wrong = faultOf(client);
  if (wrong === undefined) return { ...base, level: 'ok', text: `${where}: ${inOrder(client)}` };
  const details = command.length === 0 ? [] : [`It runs: ${command.join(' ')}`];
  const level = client.starts === 'nothing' ? 'error' : 'warning';
  return { ...base, level, text: `${where}: ${wrong}`, details, next_step };
}

/** Returns what `lspan setup` would put right; `undefined` if nothing. */
function faultOf({ set_up, starts, hooks, hooks_file, hooks_ask, command = [] }: ExaminedClient) {
  if (!set_up) return `hooks in ${hooks_file} ask an lspan that is not set up here`;
  if (starts === 'nothing') return 'it starts a program that does not exist';
  if (starts === 'other_build') return 'it starts an lspan of another build than this';
  if (starts === 'unknown') return 'it starts a program of which lspan cannot tell what it is';
  if (!hooks || starts === 'an_address') return undefined;
  if (!command.includes('--after-edit'))
    return 'its hooks have nothing to compare with, since the entry lacks --after-edit';
  const isLonely = hooks_ask === 'daemon' && !command.includes('--daemon');
  return isLonely ? 'its hooks ask the daemon, and the entry lacks --daemon' : undefined;
}

const kinds: Readonly<Record<NonNullable<ExaminedClient['starts']>, string>> = {
  this: 'starts this lspan',
  same_build: 'starts another copy of this build',
  a_package: 'starts lspan from npm',
  an_address: 'connects to an address',
  other_build: '',
  unknown: '',
  nothing: '',
};

function inOrder({ starts = 'this', hooks, hooks_file, command = [] }: ExaminedClient): string {
  const at = command.indexOf('--via');
  if (at !== -1) return `${kinds[starts]}, which works at the far end of ${command[at + 1]}`;
  const told = hooks === undefined ? '' : hooks ? `, hooks in ${hooks_file}` : ', no hooks';
  return `${kinds[starts]}${told}`;
}
