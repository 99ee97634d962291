import { expect, it } from 'vitest';
import { openTestBridge, type TestServer } from '../../../test-bridge.ts';

const files = {
  'web/a.txt': 'function alpha\n',
  'web/project.mark': '',
  'b.txt': 'function beta\n',
};

/** Asks about a file, and returns where the server was told to work. */
async function placeOf(server: TestServer, file_path = 'web/a.txt') {
  const bridge = await openTestBridge({ files, servers: { fake: server } });
  const answer = await bridge.call('get_document_symbols', { file_path });
  const initialize = bridge.received().find(({ method }) => method === 'initialize');
  const { rootUri, workspaceFolders } = Object(initialize?.params);
  const relative = (uri: string) => uri.replace(`file://${bridge.root}`, '');
  const folders = (workspaceFolders ?? []).map(({ uri }: { uri: string }) => relative(uri));
  return { answer, rootUri: rootUri && relative(rootUri), folders };
}

it('a server works in the root', async () => {
  expect(await placeOf({})).toMatchObject({ rootUri: '', folders: [''] });
});

it('root_dir is the root of a server, which serves only files below it', async () => {
  expect(await placeOf({ rootFolder: 'web' })).toMatchObject({ rootUri: '/web', folders: ['/web'] });
  const { answer, rootUri } = await placeOf({ rootFolder: 'web' }, 'b.txt');
  expect(answer.data).toMatchObject({ error: { code: 'not_supported' } });
  expect(rootUri).toBeUndefined();
});

it('root_markers decide where a server works', async () => {
  const server: TestServer = { projectMarkers: ['project.mark'] };
  expect(await placeOf(server)).toMatchObject({ rootUri: '/web', folders: ['/web'] });
  expect(await placeOf({ projectMarkers: ['none.mark'] })).toMatchObject({ rootUri: '', folders: [''] });
});

it('cwd is the working directory of a server', async () => {
  const before = 'pwd > "$0.cwd"';
  const bridge = await openTestBridge({
    files,
    servers: { fake: { cwd: 'web', before: `[ "$PWD" = "\${PWD%/web}/web" ] || exit 9; ${before}` } },
  });
  expect((await bridge.call('get_document_symbols', { file_path: 'b.txt' })).isError).toBe(false);
});
