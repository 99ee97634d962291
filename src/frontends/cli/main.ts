import { homedir } from 'node:os';
import { LspanError } from '../../core/errors.ts';
import { resultOrError } from '../../core/runtime/result.ts';
import { closeInheritedDescriptors } from '../../platform/processes/inherited-descriptors.ts';
import { version } from '../../version.ts';
import { cacheCode } from '../code-cache.ts';
import { tuneAtStart } from '../engine-flags.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { print, printFailure } from './print.ts';

/** Runs a command line and returns the exit code: 0 success, 1 failure, 2 user error. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(parseCommandLine(words));
  } catch (thrown) {
    return printFailure(thrown).code === 'invalid_input' ? 2 : 1;
  }
}

/** Imports each command only when it runs, to keep the start short. */
async function run(command: CommandLine): Promise<number> {
  if (answering.has(command.kind)) tuneAtStart();
  cacheCode(script(), process.env);
  if (answering.has(command.kind) || starting.has(command.kind)) closeInheritedDescriptors();
  const context = () => ({ environment: process.env, cwd: currentFolder(), home: homedir() });
  switch (command.kind) {
    case 'help':
      await print((await import('./help.ts')).helpText(command.topic));
      return 0;
    case 'version':
      await print(`lspan ${version}\n`);
      return 0;
    case 'serve':
      return await (await import('./commands/run-serve.ts')).runServe(command, context());
    case 'host':
      return await (await import('./commands/run-host.ts')).runHost(command, context());
    case 'call':
      return await (await import('./commands/run-call.ts')).runCall(command, context());
    case 'tools':
      return await (await import('./commands/run-tools.ts')).runTools(command);
    case 'config':
      return await (await import('./commands/run-config.ts')).runConfig(command, context());
    case 'edits':
      return await (await import('./commands/run-edits.ts')).runEdits(command, context());
    case 'undo':
      return await (await import('./commands/run-undo.ts')).runUndo(command, context());
    case 'status':
      return await (await import('./commands/run-status.ts')).runStatus(command, context());
    case 'stop':
      return await (await import('./commands/run-stop.ts')).runStop(command, context());
    case 'hook':
      return await (await import('./commands/run-hook.ts')).runHook(command, context());
    case 'doctor':
      return await (await import('./commands/run-doctor.ts')).runDoctor(command, context());
    case 'daemon':
      return await (await import('../daemon/server/run-daemon.ts')).runDaemon(script(), process.env);
    case 'channel':
      return await (await import('../via/serve-channel.ts')).serveChannel({ ...context(), script: script() });
    case 'setup':
      return await (await import('./commands/run-setup.ts')).runSetup(command, context());
    case 'trust':
      return await (await import('./commands/run-trust.ts')).runTrust(command, context());
    case 'install':
      return await (await import('./commands/run-install.ts')).runInstall(command, context());
    case 'bundle':
      return await (await import('./commands/run-bundle.ts')).runBundle(command, context(), script());
    case 'index':
      return await (await import('./commands/run-index.ts')).runIndex(command, context());
    case 'completions':
      return await (await import('./commands/run-completions.ts')).runCompletions(command, context());
    case 'token':
      return await (await import('./commands/run-token.ts')).runToken(command, context());
    default:
      return await (await import('./commands/run-mcp.ts')).runMcp(command, context());
  }
}

/** The commands that answer many questions. */
const answering: ReadonlySet<CommandLine['kind']> = new Set([
  'mcp',
  'single',
  'serve',
  'host',
  'daemon',
  'channel',
]);

/** Other commands that start programs. */
const starting: ReadonlySet<CommandLine['kind']> = new Set(['call', 'undo', 'hook', 'doctor']);

/** Returns the folder that the command was called in, by its name: it may be gone, as that of a worktree may be. */
function currentFolder(): string {
  const folder = resultOrError(() => process.cwd());
  return folder instanceof LspanError ? (process.env.PWD ?? '/') : folder;
}

/** The program that runs. */
function script(): string {
  return process.argv[1] ?? '';
}
