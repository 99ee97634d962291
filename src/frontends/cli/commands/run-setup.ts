import { stateFolder } from '../../../config/state-folder.ts';
import { LspanError } from '../../../core/errors.ts';
import { shellWord } from '../../../core/wording/shell-words.ts';
import { realFile } from '../../../platform/files/real-file.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { findWorkspace } from '../../find-workspace.ts';
import { allowList } from '../../setup/allow-list.ts';
import type { AgentClient, Scope } from '../../setup/clients/client.ts';
import { clients } from '../../setup/clients/clients.ts';
import { clientNamed, traceOf } from '../../setup/clients/find-clients.ts';
import type { Machine } from '../../setup/clients/place.ts';
import { type OwnProcess, ownProcess } from '../../setup/launch.ts';
import { renderClients } from '../../setup/list-clients.ts';
import { type SetupOutcome, setUpClient } from '../../setup/set-up-client.ts';
import type { CommandLine } from '../parse-command-line.ts';
import type { ProcessContext } from '../read-settings.ts';
import { openTerminal, type Terminal } from '../terminal.ts';
import { columns } from '../wrapped.ts';

type SetupCommand = Extract<CommandLine, { readonly kind: 'setup' }>;

/** Runs `lspan setup`: puts lspan into the configuration of clients, or takes it out; returns the exit code. */
export async function runSetup(
  { names, flags }: SetupCommand,
  context: ProcessContext,
  terminal: Terminal = openTerminal(),
  own: OwnProcess = ownProcess(context.environment),
): Promise<number> {
  const { environment, home } = context;
  const machine: Machine = { platform: own.platform, environment, home };
  const named = [...new Set(names.map(clientNamed))];
  const scope: Scope = flags.scope ?? 'user';
  const project = projectOf(context);
  if (flags.allowList) return await printAllowList(named, terminal);
  if (flags.list) {
    await terminal.write(`${columns(renderClients({ machine, project }, own)).join('\n')}\n`);
    return 0;
  }
  if (scope === 'project' && project === undefined) throw noProject();
  const chosen = named.length > 0 ? named : foundClients(machine, scope);
  if (chosen.length === 0) throw noneFound(scope);
  const { remove, rules, dryRun, yes } = flags;
  // Hooks look at files of this machine.
  const hooks = flags.hooks ? true : flags.noHooks || flags.via ? false : undefined;
  const via = viaWords(flags);
  const places = { scope, machine, project };
  const options = {
    places,
    own,
    remove,
    rules,
    hooks,
    via,
    dryRun,
    yes,
    terminal,
    stateFolder: stateFolder(environment),
  };
  const outcomes: SetupOutcome[] = [];
  for (const client of chosen) outcomes.push(await setUpClient(client, options));
  if (outcomes.includes('unasked')) throw unasked(names, flags);
  if (dryRun) await terminal.write('Nothing was written: this was a dry run.\n');
  return outcomes.some((one) => one === 'refused' || one === 'declined') ? 1 : 0;
}

async function printAllowList([client, more]: readonly AgentClient[], { write }: Terminal): Promise<number> {
  if (more !== undefined)
    throw new LspanError('invalid_input', 'Name one client: lspan setup --allow-list CLIENT', {
      nextStep: 'Name one client.',
    });
  const { tools = [] } = catalogue.find(({ name }) => name === 'lspan') ?? {};
  await write(`${allowList(tools, client).join('\n')}\n`);
  return 0;
}

/** Returns the clients on this machine that have a file for the scope. */
function foundClients(machine: Machine, scope: Scope): readonly AgentClient[] {
  return clients.filter(
    (client) => (scope === 'user' || client.project !== undefined) && traceOf(client, machine) !== undefined,
  );
}

/** Returns the project around the current folder; ignores variables of MCP clients. */
function projectOf({ cwd, home }: ProcessContext): string | undefined {
  const [root] = findWorkspace({ flags: [], environment: {}, cwd, home }).roots;
  return root === undefined ? undefined : (realFile(root)?.path ?? root);
}

function noProject(): LspanError {
  const nextStep = 'Go to the folder of the project first.';
  return new LspanError('invalid_input', `There is no project around the current folder. ${nextStep}`, {
    nextStep,
  });
}

function noneFound(scope: Scope): LspanError {
  const nextStep = 'Name one; lspan setup --list shows the known ones.';
  const what = scope === 'project' ? 'agent with a file for projects' : 'agent';
  return new LspanError('not_found', `No ${what} was found on this machine. ${nextStep}`, { nextStep });
}

/** Returns the flags of `lspan mcp` by which it works elsewhere. */
function viaWords({ via, viaProgram, workspace }: SetupCommand['flags']): readonly string[] {
  if (!via) return [];
  const program = viaProgram ? ['--via-program', viaProgram.map(shellWord).join(' ')] : [];
  return [
    '--via',
    via.map(shellWord).join(' '),
    ...program,
    ...workspace.flatMap((one) => ['--workspace', one]),
  ];
}

function unasked(names: readonly string[], flags: SetupCommand['flags']): LspanError {
  const { scope, remove, rules, hooks, noHooks } = flags;
  const words = [
    ...names,
    ...(scope === undefined ? [] : ['--scope', scope]),
    ...(remove ? ['--remove'] : []),
    ...(rules ? ['--rules'] : []),
    ...(hooks ? ['--hooks'] : []),
    ...(noHooks ? ['--no-hooks'] : []),
    ...viaWords(flags).map(shellWord),
    '--yes',
  ];
  const command = `lspan setup ${words.join(' ')}`;
  return new LspanError(
    'invalid_input',
    `Nothing was written: there is no terminal to ask on. To write what is shown: ${command}`,
    { nextStep: `Run ${command}.` },
  );
}
