import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { silent } from '../../../src/core/log.ts';

function read(value: object) {
  return loadConfig({ configValue: { value, name: 'given' }, roots: [], environment: {}, log: silent });
}

describe('keys of lspi', () => {
  it('are read as ours, and a note names ours', () => {
    const { servers, warnings } = read({
      workspace_root: '.',
      servers: [
        {
          kind: 'rust_analyzer',
          extensions: ['rs'],
          command: 'rust-analyzer',
          args: ['-v'],
          root_dir: 'crates',
          initialize_timeout_ms: 10_000,
          request_timeout_ms: 30_000,
          warmup_timeout_ms: 5_000,
        },
      ],
      mcp: { output: { max_total_chars_default: 120_000 } },
    });
    expect(servers).toMatchObject([
      {
        id: 'rust-analyzer',
        command: ['rust-analyzer'],
        args: ['-v'],
        rootFolder: 'crates',
        initializeTimeout: 10_000,
        timeouts: { references: 30_000, hover: 30_000 },
      },
    ]);
    expect(warnings).toEqual([
      'given: workspace_root has no effect: give the folder with --workspace.',
      'given: mcp has no effect: max_tokens bounds the size of answers.',
      'given: servers[0].kind has no effect: the id says which server it is.',
      'given: servers[0].initialize_timeout_ms is read as initialize_timeout_s.',
      'given: servers[0].request_timeout_ms is read as timeouts.',
      'given: servers[0].warmup_timeout_ms has no effect: a call waits until the server is ready, at most limits.readiness_s.',
    ]);
  });

  it('give way to ours', () => {
    const { servers } = read({
      servers: [{ id: 'gopls', initialize_timeout_s: 20, initialize_timeout_ms: 1_000 }],
    });
    expect(servers).toMatchObject([{ initializeTimeout: 20_000 }]);
  });
});

it('keys of LLxprt Code are read as ours, and a note names ours', () => {
  const { limits, deadline, servers, warnings } = read({
    servers: [{ id: 'gopls', command: 'gopls', rootUri: 'file:///project/go' }],
    diagnosticsTimeoutMs: 3_000,
    firstTouchTimeout: 10_000,
    navigationTimeoutMs: 15_000,
    includeSeverities: ['error', 'info'],
  });
  expect(limits).toMatchObject({ diagnostics: 3_000, diagnosticsCold: 10_000 });
  expect(deadline).toBe(15_000);
  expect(servers).toMatchObject([{ command: ['gopls'], rootFolder: '/project/go' }]);
  expect(warnings).toContain(
    'given: includeSeverities has no effect: answers list every problem with its severity, in pages.',
  );
  expect(warnings).toContain('given: diagnosticsTimeoutMs is read as limits.diagnostics_s.');
});
