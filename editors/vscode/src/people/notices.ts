import * as vscode from 'vscode';
import type { GatewayControl, GatewayState } from '../server/gateway-control.ts';
import { openSettings, usePort } from './commands.ts';

/** Tells the user when the server cannot run, once for each reason, and offers what helps. */
export function showFailures(control: GatewayControl, showLog: () => void): vscode.Disposable {
  let told = '';
  return control.onDidChange((state) => {
    const why = state.kind === 'error' ? state.why : '';
    if (state.kind === 'error' && why !== told) void tell(control, state, showLog);
    if (state.kind !== 'starting') told = why;
  });
}

async function tell(
  control: GatewayControl,
  { why, freePort }: Extract<GatewayState, { kind: 'error' }>,
  showLog: () => void,
): Promise<void> {
  const other = freePort === undefined ? [] : [`Use ${freePort} in This Window`];
  const chosen = await vscode.window.showErrorMessage(
    `MCP LSP Gateway: ${why}`,
    ...other,
    'Open Settings',
    'Show Log',
  );
  if (chosen === undefined) return;
  if (chosen === 'Open Settings') await openSettings();
  else if (chosen === 'Show Log') showLog();
  else await usePort(control);
}
