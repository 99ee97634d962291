import { defaultConfig } from '../../../src/config/default-config.ts';
import type { Rule } from '../../fake-server/script.ts';
import { openTestWorld, type TestServer } from '../../test-bridge.ts';
import { backendCases, type Condition } from '../cases/backend-cases.ts';

const on = (method: string, ...actions: Rule['do']): Rule => ({ on: { method }, do: actions });

const flaw = { start: { line: 0, character: 5 }, end: { line: 0, character: 12 } };

/** The fake server in each condition. It counts columns in bytes, so that every position is converted. */
const servers: Readonly<Record<Condition, TestServer>> = {
  ready: { ready: { kind: 'immediate' }, lives: [{}] },
  unable: { lives: [{ capabilities: { definitionProvider: null } }] },
  silent: { lives: [{ rules: [on('textDocument/definition', { never: true })] }] },
  loading: {
    ready: { kind: 'progress', title: /^Loading/ },
    lives: [
      { rules: [on('textDocument/didOpen', { progress: { token: 1, kind: 'begin', title: 'Loading' } })] },
    ],
  },
  checks_never: { lives: [{ diagnostics: 'none' }] },
  checks_once: {
    lives: [
      {
        diagnostics: 'none',
        rules: [
          on('textDocument/didOpen', {
            notify: {
              method: 'textDocument/publishDiagnostics',
              params: { uri: 'file://<root>/a.txt', diagnostics: [{ message: 'Wrong', range: flaw }] },
            },
          }),
        ],
      },
    ],
  },
};

const limits = { ...defaultConfig.limits, readiness: 500, diagnostics: 1_000, diagnosticsCold: 1_000 };

backendCases(async (files, condition) => {
  const { lives = [], ...server } = servers[condition];
  const inBytes = lives.map((life) => ({ positionEncoding: 'utf-8' as const, ...life }));
  const world = await openTestWorld({
    files,
    servers: { fake: { ...server, lives: inBytes } },
    ...(condition === 'ready' ? {} : { config: { limits } }),
  });
  const { backend, root, write, workspace } = world;
  return { backend, root, write, refresh: (call) => workspace.refresh(call) };
});
