import { expect, it } from 'vitest';
import { observeServing } from '../../../src/frontends/http/http-metrics.ts';

it('knows the codes of every surface, and the tools that are offered', () => {
  const logged: string[] = [];
  const log = (_level: string, event: string) => void logged.push(event);
  const seen = observeServing({ log, roots: [], tools: ['vscode.lsp.hover'] });
  const failed = { text: '', data: { error: { code: 'WORKSPACE_DENIED' } }, isError: true };
  seen.called({ tool: 'vscode.lsp.hover' }, failed, 1);
  seen.called({ tool: 'vscode.lsp.hover' }, { ...failed, data: { error: { code: 'busy' } } }, 1);
  const text = seen.metrics.render();
  expect(text).toContain('lspan_calls_total{tool="vscode.lsp.hover",outcome="error"} 2\n');
  expect(text).toContain('lspan_call_errors_total{code="WORKSPACE_DENIED"} 1\n');
  expect(text).toContain('lspan_call_errors_total{code="busy"} 1\n');
  expect(seen.trace).toBeUndefined();
  seen.close();
  expect(logged).toEqual([]);
});
