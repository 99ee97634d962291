import path from 'node:path';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { checkNames } from '../check-names.ts';
import { openerOf } from '../opener.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { printNotice } from '../print.ts';
import { type CommandOptions, type ProcessContext, readSettings } from '../read-settings.ts';

type McpCommand = Extract<CommandLine, { readonly kind: 'mcp' | 'single' }>;

/** Runs `lspan mcp`: serves stdin and stdout until the client goes; returns the exit code. */
export async function runMcp(command: McpCommand, context: ProcessContext): Promise<number> {
  const options = optionsOf(command, context.cwd);
  const { close, ...settings } = await readSettings(command.flags, options, context);
  checkNames(catalogue, { surface: options.surface, toolsets: settings.toolsets }, command.kind);
  if (process.stdin.isTTY) printNotice(forTerminal);
  const { serveStdioMcp } = await import('../../mcp/stdio/serve-stdio.ts');
  const opener = openerOf('mcp', context, settings);
  const { afterEdit } = command.flags;
  return await serveStdioMcp({ ...settings, afterEdit, opener }).finally(close);
}

/** Said to a person who starts the server by hand, and sees nothing happen. */
export const forTerminal =
  'This serves MCP on stdin and stdout, for a client that starts it; it waits for messages now. Ctrl-C ends it; lspan call asks a tool from the shell.';

function optionsOf(command: McpCommand, cwd: string): CommandOptions {
  if (command.kind === 'mcp') return { surface: command.flags.surface ?? 'lspan', survivesFaults: true };
  const [program = '', ...args] = command.command;
  // A name is searched in PATH; a path is relative to the current folder, as in a shell.
  const resolved = /[/\\]/.test(program) ? path.resolve(cwd, program) : program;
  return {
    surface: command.flags.surface ?? 'pathfinder',
    single: { extensions: command.extensions, command: [resolved, ...args] },
    survivesFaults: false,
  };
}
