import { expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/default-config.ts';
import { limits } from '../../../src/core/limits.ts';
import { openGateway } from './open-gateway.ts';

const files = { 'a.txt': 'function alpha\n', 'b.txt': 'alpha\n'.repeat(30) };
const servers = { fake: { ready: { kind: 'immediate' } } } as const;
const position = { line: 0, character: 10 };

it('a null cursor is none, and a page that is too large is the largest', async () => {
  const { ask, uri } = await openGateway({ files, servers });
  const asked = { uri: uri('a.txt'), position, cursor: null, pageSize: 100_000 };
  expect(await ask('references', asked)).toMatchObject({ total: 30, pageSize: limits.gateway.page });
});

it('limits.page_items bounds a page', async () => {
  const config = { limits: { ...defaultConfig.limits, page: 7 } };
  const { ask, uri } = await openGateway({ files, servers, config });
  const page = await ask('references', { uri: uri('a.txt'), position });
  expect(page).toMatchObject({ pageSize: 7, items: { length: 7 }, nextCursor: expect.any(String) });
});

it('a hover that is too long is cut and says so', async () => {
  const value = 'é'.repeat(limits.gateway.response);
  const reply = { contents: { kind: 'markdown', value } };
  const rules = [{ on: { method: 'textDocument/hover' }, do: [{ replyValue: reply }] }];
  const { ask, uri } = await openGateway({
    files,
    servers: { fake: { ready: { kind: 'immediate' }, lives: [{ rules }] } },
  });
  const data = await ask('hover', { uri: uri('a.txt'), position });
  expect(data).toMatchObject({ truncated: true, contents: [{ value: expect.stringMatching(/^é+…$/) }] });
});

it('doubts name tools and arguments of this surface only', async () => {
  const { ask } = await openGateway({ files, servers: { fake: {} } });
  const told = JSON.stringify(await ask('diagnostics.workspace', {}));
  expect(told).toContain('ask vscode.lsp.diagnostics.document about files to have them checked');
  expect(told).not.toMatch(/name files|get_|file_path/);
});
