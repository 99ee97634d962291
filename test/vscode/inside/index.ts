import * as vscode from 'vscode';
import { gatewayCases } from './gateway-cases.ts';
import { runTests } from './runner.ts';
import { sharedCases } from './shared-cases.ts';

const suites: Readonly<Record<string, () => void>> = {
  shared: sharedCases,
  gateway: gatewayCases,
};

/** Called by VS Code in its extension host. */
export async function run(): Promise<void> {
  const { LSPAN_VSCODE_SUITES = '', LSPAN_VSCODE_RESULTS = '' } = process.env;
  for (const name of LSPAN_VSCODE_SUITES.split(',')) suites[name]?.();
  await vscode.extensions.getExtension('lspan.mcp-lsp-gateway')?.activate();
  await runTests(LSPAN_VSCODE_RESULTS, 60_000);
}
