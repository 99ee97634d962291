import { LspanError } from '../../core/errors.ts';
import type { ClientHooks } from './clients/client.ts';

/** The flag for hooks, after which comes `--daemon` if setup wrote that too: one before it is the user's own. */
const mark = '--after-edit';

/** Returns the flags of `lspan mcp` that the hooks of a client need. */
export function hookFlags({ asks }: ClientHooks): readonly string[] {
  return asks === 'daemon' ? [mark, '--daemon'] : [mark];
}

/** Returns the flags of an entry with those for hooks, or without them. */
export function flagsFor(hooks: ClientHooks, wanted: boolean, flags: readonly string[]): readonly string[] {
  const at = flags.indexOf(mark);
  if (!wanted) {
    const isDaemonToo = hooks.asks === 'daemon' && flags[at + 1] === '--daemon';
    return at === -1 ? flags : flags.toSpliced(at, isDaemonToo ? 2 : 1);
  }
  if (flags.includes('--via')) throw elsewhere();
  if (hooks.asks === 'daemon' && flags.includes('--no-daemon')) throw noDaemon();
  const missing = hookFlags(hooks).filter((flag) => !flags.includes(flag));
  return at === -1 ? [...flags, ...missing] : flags.toSpliced(at + 1, 0, ...missing);
}

/** Returns the flags of an entry with those by which lspan works elsewhere in place of earlier ones. */
export function viaFlags(via: readonly string[], flags: readonly string[]): readonly string[] {
  if (via.length === 0) return flags;
  const isOurs = (flag: string | undefined) => flag !== undefined && ours.has(flag);
  return [...via, ...flags.filter((flag, at) => !isOurs(flag) && !isOurs(flags[at - 1]))];
}

/** Each has a value after it. */
const ours: ReadonlySet<string> = new Set(['--via', '--via-program', '--workspace', '-w']);

function elsewhere(): LspanError {
  const nextStep = 'Use --no-hooks, or give --via again.';
  return new LspanError(
    'refused',
    `the entry of lspan works elsewhere (--via), and hooks look at files of this machine. ${nextStep}`,
    { nextStep },
  );
}

function noDaemon(): LspanError {
  const nextStep = 'Remove that flag, or use --no-hooks.';
  return new LspanError(
    'refused',
    `the hooks ask the daemon, and the entry of lspan has --no-daemon. ${nextStep}`,
    { nextStep },
  );
}
