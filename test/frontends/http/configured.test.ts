import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { answerOf, ServeFixture, type ServeSetting } from './start-serve.ts';

const beside = realpathSync(mkdtempSync(path.join(tmpdir(), 'lspan-beside-')));
afterAll(() => rmSync(beside, { recursive: true }));

/** Starts `lspan serve` with settings in the configuration alone, or with flags too. */
async function serve(settings: object, ...flags: readonly string[]) {
  const setting: ServeSetting = { config: { serve: { port: 0, ...settings } }, isPortConfigured: true };
  const fixture = new ServeFixture(setting);
  onTestFinished(() => fixture.close());
  return fixture.start(...flags);
}

const clientInfo = { name: 'test', version: '1' };
const initialize = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
};

describe('a setting of `lspan serve` in the configuration holds in the running program:', () => {
  test('the port, the address and the endpoint, which flags override', async () => {
    const settings = { host: '127.0.0.1', endpoint: '/from/file' };
    const running = await serve(settings);
    expect(running.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/from\/file$/);
    expect((await running.post(initialize)).status).toBe(200);
    const overridden = await serve(settings, '--endpoint', '/from/flag');
    expect(overridden.url).toMatch(/\/from\/flag$/);
    expect((await overridden.ask('GET', {}, '/from/file')).status).toBe(404);
  });

  test('the origins', async () => {
    const running = await serve({ allow_origins: ['http://localhost:6274'] });
    const from = async (Origin: string) => (await running.post(initialize, { headers: { Origin } })).status;
    expect(await from('http://localhost:6274')).toBe(200);
    expect(await from('http://localhost:6275')).toBe(403);
  });

  test('no sessions', async () => {
    const [without, withThem] = [await serve({ sessions: false }), await serve({})];
    expect((await without.post(initialize)).headers.get('mcp-session-id')).toBeNull();
    expect((await withThem.post(initialize)).headers.get('mcp-session-id')).toMatch(/./);
  });

  test('one revision of the protocol', async () => {
    const [one, both] = [await serve({ protocol: '2025-11-25' }), await serve({})];
    expect((await answerOf(await both.modern(1, 'tools/list')))?.result).toHaveProperty('tools');
    const refused = await answerOf(await one.modern(1, 'tools/list'));
    expect(refused?.error?.message).toBe('This protocol revision is not served.');
    expect((await one.post(initialize)).status).toBe(200);
  });

  test('the surface, which a flag overrides', async () => {
    const names = async (running: Awaited<ReturnType<typeof serve>>) =>
      JSON.stringify((await answerOf(await running.modern(1, 'tools/list')))?.result);
    expect(await names(await serve({ surface: 'llxprt' }))).toContain('"lsp_hover"');
    expect(await names(await serve({ surface: 'llxprt' }, '--surface', 'lspan'))).toContain('"get_hover"');
  });

  test('folders whose files may be read', async () => {
    const file_path = path.join(beside, 'c.txt');
    writeFileSync(file_path, 'function gamma\n');
    const outlineIn = async (running: Awaited<ReturnType<typeof serve>>) => {
      const call = { name: 'get_document_symbols', arguments: { file_path } };
      return JSON.stringify((await answerOf(await running.modern(1, 'tools/call', call)))?.result);
    };
    expect(await outlineIn(await serve({ additional_roots: [beside] }))).toContain('function gamma');
    expect(await outlineIn(await serve({}))).toContain('outside_workspace');
  });
});

test('a wrong setting of `lspan serve` in the configuration ends the start, and is told with its line', async () => {
  const fixture = new ServeFixture({ config: { serve: { prot: 1 } } });
  onTestFinished(() => fixture.close());
  const { code, stderr } = await fixture.run('serve', '--port', '0', ...fixture.flags);
  expect(code).not.toBe(0);
  expect(stderr).toContain('line 1, serve.prot: unknown key. Did you mean port?');
});
