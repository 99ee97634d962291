import { bashCompletion } from '../completions/bash.ts';
import { completedCommands, type KnownWords } from '../completions/completed-command.ts';
import { fishCompletion } from '../completions/fish.ts';
import { zshCompletion } from '../completions/zsh.ts';
import type { CommandLine, Shell } from '../parse-command-line.ts';
import { print } from '../print.ts';
import type { ProcessContext } from '../read-settings.ts';

type CompletionsCommand = Extract<CommandLine, { readonly kind: 'completions' }>;

/** Runs `lspan completions`: prints the script of a shell; returns the exit code. */
export async function runCompletions(
  { shell }: CompletionsCommand,
  { environment }: Pick<ProcessContext, 'environment'>,
  write: (text: string) => Promise<void> = print,
): Promise<number> {
  await write(scripts[shell](completedCommands(await knownWords(environment))));
  return 0;
}

const scripts = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const satisfies Record<
  Shell,
  unknown
>;

async function knownWords(environment: ProcessContext['environment']): Promise<KnownWords> {
  const { knownServers } = await import('../../../offline.ts');
  const { catalogue } = await import('../../../surfaces/catalogue.ts');
  const { clients } = await import('../../setup/clients/clients.ts');
  const { hookClients } = await import('./run-hook.ts');
  const { indexActions, shells, tokenActions } = await import('../parse-command-line.ts');
  const tools = catalogue
    .filter(({ name }) => name === 'lspan')
    .flatMap((surface) => surface.tools.map(({ name }) => name));
  const servers = knownServers(environment).flatMap(({ id, languages }) => [id, ...languages]);
  return {
    call: tools,
    tools,
    setup: clients.map(({ id }) => id),
    hook: hookClients,
    install: [...new Set(servers)].sort(),
    token: tokenActions,
    index: indexActions,
    completions: shells,
    trust: 'folders',
    bundle: 'files',
  };
}
