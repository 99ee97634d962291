import path from 'node:path';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { checkNames } from '../check-names.ts';
import type { CommandLine } from '../parse-command-line.ts';
import { type Choices, type ProcessContext, readSettings } from '../read-settings.ts';

type Serving = Extract<CommandLine, { readonly kind: 'mcp' | 'single' }>;

/** Serves MCP on stdin and stdout until the client goes; returns the exit code. */
export async function runMcp(command: Serving, around: ProcessContext): Promise<number> {
  const choices = choicesOf(command, around.cwd);
  const prepared = await readSettings(command.flags, choices, around);
  checkNames(catalogue, { surface: choices.surface, toolsets: prepared.toolsets }, command.kind);
  const { serveStdioMcp } = await import('../../mcp/stdio/serve-stdio.ts');
  const { close, ...settings } = prepared;
  return await serveStdioMcp(settings).finally(close);
}

function choicesOf(command: Serving, cwd: string): Choices {
  if (command.kind === 'mcp') return { surface: command.flags.surface ?? 'lspan', survivesFaults: true };
  const [program = '', ...args] = command.command;
  // A name is looked for in PATH; a path means what it means in the shell.
  const resolved = /[/\\]/.test(program) ? path.resolve(cwd, program) : program;
  return {
    surface: command.flags.surface ?? 'pathfinder',
    single: { extensions: command.extensions, command: [resolved, ...args] },
    survivesFaults: false,
  };
}
