import * as vscode from 'vscode';
import type { GatewayControl } from '../server/gateway-control.ts';

/** Shows the state of the server in the status bar; a click opens its menu. */
export function showStatus(control: GatewayControl, command: string): vscode.Disposable {
  const item = vscode.window.createStatusBarItem(
    'mcpLspGateway.status',
    vscode.StatusBarAlignment.Right,
    100,
  );
  item.name = 'MCP LSP Gateway';
  item.command = command;
  const show = () => {
    const { text, tooltip, isError = false } = faceOf(control);
    item.text = text;
    item.tooltip = `MCP LSP Gateway: ${tooltip}`;
    item.backgroundColor = isError ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
  };
  show();
  item.show();
  const subscription = control.onDidChange(show);
  return {
    dispose: () => {
      subscription.dispose();
      item.dispose();
    },
  };
}

interface Face {
  readonly text: string;
  readonly tooltip: string;
  readonly isError?: boolean;
}

/** Returns the text of the item and what it says when pointed at. */
export function faceOf({ state, calls }: Pick<GatewayControl, 'state' | 'calls'>): Face {
  if (state.kind === 'off') return { text: '$(circle-slash) MCP', tooltip: `off. ${state.why}` };
  if (state.kind === 'starting') return { text: '$(sync~spin) MCP', tooltip: 'starting.' };
  if (state.kind === 'error')
    return { text: '$(error) MCP', tooltip: `not running. ${state.why}`, isError: true };
  const counted = calls === 1 ? '1 call' : `${calls} calls`;
  return {
    text: `$(broadcast) MCP: ${counted}`,
    tooltip: `running at ${state.url} (${state.surface}), ${counted}.`,
  };
}
