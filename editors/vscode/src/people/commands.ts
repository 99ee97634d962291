import * as vscode from 'vscode';
import type { GatewayControl } from '../server/gateway-control.ts';
import { readTyped, storeTokens } from '../server/secret-tokens.ts';
import { readSettings, section } from '../server/settings.ts';
import { clientFormats, type Endpoint } from './client-formats.ts';

/** What the commands act on. */
export interface CommandParts {
  readonly control: GatewayControl;
  readonly secrets: vscode.SecretStorage;
  readonly showLog: () => void;
}

/** The command that opens the menu of the status bar. */
export const menuCommand = `${section}.showMenu`;

/** Registers the commands that package.json lists. */
export function registerCommands(parts: CommandParts): readonly vscode.Disposable[] {
  const { control, secrets, showLog } = parts;
  const commands: Readonly<Record<string, () => unknown>> = {
    ...Object.fromEntries(
      clientFormats.map(({ command, client, file, render }) => [
        command,
        () => copy(control, render, `Copied for ${client}, with the token. It belongs in ${file}.`),
      ]),
    ),
    copyEndpointUrl: () => copy(control, ({ url }) => url, 'Copied the URL of the endpoint.'),
    setTokens: () => setTokens(secrets),
    clearTokens: () => clearTokens(secrets),
    enable: () => enable(true),
    disable: () => enable(false),
    restart: () => control.restart(),
    showLog,
    showMenu: () => showMenu(parts),
  };
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`${section}.${name}`, run),
  );
}

/** Only a running server has an address that can be used. */
async function copy(
  control: GatewayControl,
  render: (endpoint: Endpoint) => string,
  message: string,
): Promise<boolean> {
  const { state } = control;
  if (state.kind !== 'running') {
    const why = state.kind === 'starting' ? 'It is starting.' : state.why;
    void vscode.window.showWarningMessage(`The server is not running, so nothing was copied. ${why}`);
    return false;
  }
  await vscode.env.clipboard.writeText(render(state));
  void vscode.window.showInformationMessage(message);
  return true;
}

async function setTokens(secrets: vscode.SecretStorage): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: 'Set Bearer Token(s)',
    prompt:
      'One or several, separated by commas: each 32 to 512 letters, digits or ._~+/-. They replace all others.',
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (readTyped(value) ? undefined : 'These are no tokens of 32 to 512 characters.'),
  });
  const tokens = typed === undefined ? undefined : readTyped(typed);
  if (tokens) await storeTokens(secrets, readSettings().secretKey, tokens);
}

async function clearTokens(secrets: vscode.SecretStorage): Promise<void> {
  await secrets.delete(readSettings().secretKey);
  void vscode.window.showInformationMessage(
    'The bearer tokens are cleared. A running server gets a new one.',
  );
}

async function enable(enabled: boolean): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  await settings.update('enabled', enabled, vscode.ConfigurationTarget.Global);
}

async function showMenu({ control, showLog }: CommandParts): Promise<void> {
  const { state } = control;
  const choice = (label: string, run: () => unknown) => ({ label, run });
  const running = clientFormats.map(({ command, client }) =>
    choice(`$(copy) Copy configuration for ${client} (token inline)`, () => run(command)),
  );
  const items = [
    ...(state.kind === 'running'
      ? [...running, choice('$(link) Copy endpoint URL', () => run('copyEndpointUrl'))]
      : []),
    ...(state.kind === 'error' && state.freePort !== undefined
      ? [choice(`$(arrow-swap) Use port ${state.freePort} in this window`, () => usePort(control))]
      : []),
    state.kind === 'off' && !readSettings().enabled
      ? choice('$(play) Turn the server on', () => run('enable'))
      : choice('$(debug-stop) Turn the server off', () => run('disable')),
    choice('$(debug-restart) Restart the server', () => run('restart')),
    choice('$(key) Set bearer token(s)', () => run('setTokens')),
    choice('$(output) Show the log', showLog),
    choice('$(gear) Open the settings', () => openSettings()),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: 'MCP LSP Gateway',
    placeHolder: titleOf(state),
  });
  await chosen?.run();
}

/** Uses the free port that was found when the configured one was taken. */
export function usePort(control: GatewayControl): Promise<void> {
  const { state } = control;
  const port = state.kind === 'error' ? state.freePort : undefined;
  return port === undefined ? control.restart() : control.usePort(port);
}

/** Opens the settings of the extension. */
export function openSettings(): PromiseLike<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', section);
}

function titleOf(state: GatewayControl['state']): string {
  if (state.kind === 'running') return `Running at ${state.url}`;
  return state.kind === 'starting' ? 'Starting' : state.why;
}

function run(command: string): PromiseLike<unknown> {
  return vscode.commands.executeCommand(`${section}.${command}`);
}
