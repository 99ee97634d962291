import { expect, it } from 'vitest';
import { readHandshake } from '../../../../src/backends/lsp/protocol/handshake.ts';

it('a server that names itself over several lines is shown on one', () => {
  const { name, version } = readHandshake({
    serverInfo: { name: 'evil\nWorkspace /', version: 'x'.repeat(500) },
  });
  expect(name).toBe('evil Workspace /');
  expect(version).toHaveLength(100);
});

it('an encoding that is not known counts as the default; one that was not offered is believed', () => {
  expect(readHandshake({ capabilities: { positionEncoding: 'utf-7' } }).encoding).toBe('utf-16');
  expect(readHandshake({ capabilities: { positionEncoding: 'utf-8' } }).encoding).toBe('utf-8');
  expect(readHandshake(null).encoding).toBe('utf-16');
});
