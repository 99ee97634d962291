import { homedir } from 'node:os';
import { closeInheritedDescriptors } from '../../platform/processes/inherited-descriptors.ts';
import { version } from '../../version.ts';
import { type CommandLine, parseCommandLine } from './parse-command-line.ts';
import { print } from './print.ts';
import { printFailure } from './print-failure.ts';

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 to be corrected by the user. */
export async function main(words: readonly string[]): Promise<number> {
  try {
    return await run(parseCommandLine(words));
  } catch (thrown) {
    return printFailure(thrown).code === 'invalid_input' ? 2 : 1;
  }
}

/** Each command is loaded only when it is run: the start is bounded. */
async function run(command: CommandLine): Promise<number> {
  const around = () => ({ environment: process.env, cwd: process.cwd(), home: homedir() });
  switch (command.kind) {
    case 'help':
      await print((await import('./help.ts')).helpText(command.topic));
      return 0;
    case 'version':
      await print(`lspan ${version}\n`);
      return 0;
    case 'serve':
      closeInheritedDescriptors();
      return await (await import('./commands/run-serve.ts')).runServe(command, around());
    case 'host':
      closeInheritedDescriptors();
      return await (await import('./commands/run-host.ts')).runHost(command, around());
    case 'call':
      closeInheritedDescriptors();
      return await (await import('./commands/run-call.ts')).runCall(command, around());
    case 'config':
      return await (await import('./commands/run-config.ts')).runConfig(command, around());
    case 'edits':
      return await (await import('./commands/run-edits.ts')).runEdits(command, around());
    case 'undo':
      closeInheritedDescriptors();
      return await (await import('./commands/run-undo.ts')).runUndo(command, around());
    case 'trust':
      return await (await import('./commands/run-trust.ts')).runTrust(command, around());
    case 'token':
      return await (await import('./commands/run-token.ts')).runToken(command, around());
    default:
      closeInheritedDescriptors();
      return await (await import('./commands/run-mcp.ts')).runMcp(command, around());
  }
}
