import * as vscode from 'vscode';
import { editCases } from './edit-cases.ts';
import { gatewayCases } from './gateway-cases.ts';
import { outsideCases } from './outside-cases.ts';
import { quietCases, restrictedCases } from './quiet-cases.ts';
import { runTests } from './runner.ts';
import { settingsCases } from './settings-cases.ts';
import { sharedCases } from './shared-cases.ts';

const suites: Readonly<Record<string, () => void>> = {
  shared: sharedCases,
  gateway: gatewayCases,
  settings: settingsCases,
  edits: editCases,
  outside: outsideCases,
  quiet: quietCases,
  restricted: restrictedCases,
};

/** Called by VS Code in its extension host. */
export async function run(): Promise<void> {
  const { LSPAN_VSCODE_SUITES = '', LSPAN_VSCODE_RESULTS = '' } = process.env;
  for (const name of LSPAN_VSCODE_SUITES.split(',')) suites[name]?.();
  if (vscode.workspace.isTrusted) await vscode.extensions.getExtension('lspan.mcp-lsp-gateway')?.activate();
  await runTests(LSPAN_VSCODE_RESULTS, 60_000);
}
