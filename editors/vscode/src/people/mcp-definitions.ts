import * as vscode from 'vscode';
import type { GatewayControl } from '../server/gateway-control.ts';

/** Offers the running server to the agents of VS Code itself, without any configuration. */
export function offerToEditor(
  control: GatewayControl,
  version: string | undefined,
): readonly vscode.Disposable[] {
  // Editors that are built from VS Code may lack this part of its API.
  if (typeof vscode.lm?.registerMcpServerDefinitionProvider !== 'function') return [];
  const changed = new vscode.EventEmitter<void>();
  let offered = '';
  const subscription = control.onDidChange((state) => {
    const url = state.kind === 'running' ? `${state.url} ${state.token}` : '';
    if (url !== offered) changed.fire();
    offered = url;
  });
  const provider = vscode.lm.registerMcpServerDefinitionProvider('mcpLspGateway', {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () => definitionsOf(control, version),
  });
  return [provider, subscription, changed];
}

/** Returns the running server, as VS Code starts it for its agents. */
export function definitionsOf(
  { state }: Pick<GatewayControl, 'state'>,
  version: string | undefined,
): vscode.McpHttpServerDefinition[] {
  if (state.kind !== 'running') return [];
  const headers = { Authorization: `Bearer ${state.token}` };
  return [
    new vscode.McpHttpServerDefinition('MCP LSP Gateway', vscode.Uri.parse(state.url), headers, version),
  ];
}
