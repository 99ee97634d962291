import * as vscode from 'vscode';
import { menuCommand, registerCommands } from './people/commands.ts';
import { openGatewayLog } from './people/gateway-log.ts';
import { offerToEditor } from './people/mcp-definitions.ts';
import { showFailures } from './people/notices.ts';
import { showStatus } from './people/status-item.ts';
import { GatewayControl } from './server/gateway-control.ts';
import { type GatewaySettings, section } from './server/settings.ts';

/** What other extensions, and the tests, may ask this one for. It reveals no token. */
export interface GatewayApi {
  /** Returns the kind of the state of the server, and its address if it runs. */
  state(): { readonly kind: string; readonly url?: string; readonly why?: string };
  /** Fires when the state changes, and after each call. */
  readonly onDidChange: vscode.Event<unknown>;
}

/** Starts the extension: the server runs only where the settings ask for it and the user trusts the folder. */
export async function activate(context: vscode.ExtensionContext): Promise<GatewayApi> {
  const channel = vscode.window.createOutputChannel('MCP LSP Gateway', 'log');
  const openLog = (settings: GatewaySettings, roots: readonly string[]) =>
    openGatewayLog((line) => channel.appendLine(line), settings, roots);
  const { secrets, extension } = context;
  const control = new GatewayControl({ secrets, openLog });
  const showLog = () => channel.show(true);
  const restart = () => control.restart();
  context.subscriptions.push(
    channel,
    ...registerCommands({ control, secrets, showLog }),
    showStatus(control, menuCommand),
    showFailures(control, showLog),
    ...offerToEditor(control, extension.packageJSON.version),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) void restart();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(restart),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    secrets.onDidChange(({ key }) => void control.secretChanged(key)),
    { dispose: () => void control.close() },
  );
  running = control;
  await control.restart();
  return apiOf(control);
}

/** Ends the server before the extension host ends. */
export async function deactivate(): Promise<void> {
  await running?.close();
}

/** VS Code passes nothing to `deactivate`. */
let running: GatewayControl | undefined;

function apiOf(control: GatewayControl): GatewayApi {
  return {
    state: () => {
      const { state } = control;
      if (state.kind === 'running') return { kind: state.kind, url: state.url };
      return state.kind === 'starting' ? { kind: state.kind } : { kind: state.kind, why: state.why };
    },
    onDidChange: control.onDidChange,
  };
}
