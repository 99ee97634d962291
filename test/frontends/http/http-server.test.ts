import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readAll, readUntil, startDoor, statuses } from './start-http-server.ts';

const closing = { Connection: 'close' };

describe('the door', () => {
  it('lets a request with a token in, and tells who asks', async () => {
    const door = await startDoor();
    const answer = await door.exchange(door.post(closing));
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain('{"ok":true}');
    expect(door.served).toMatchObject([
      { method: 'POST', tokenId: 'one', body: { jsonrpc: '2.0', id: 1, method: 'ping' } },
    ]);
  });

  it('tells that it lives without a token, and nothing else', async () => {
    const door = await startDoor();
    const answer = await door.exchange(door.get('/healthz', { ...closing, Authorization: null }));
    expect(statuses(answer)).toEqual([200]);
    expect(answer.split('\r\n\r\n')[1]).toBe('{"status":"ok"}');
  });

  it('tells its metrics to whoever has a token', async () => {
    const door = await startDoor();
    expect(statuses(await door.exchange(door.get('/metrics', { ...closing, Authorization: null })))).toEqual([
      401,
    ]);
    const answer = await door.exchange(door.get('/metrics', closing));
    expect(answer).toContain('Content-Type: text/plain; version=0.0.4; charset=utf-8');
    expect(answer.split('\r\n\r\n')[1]).toBe('up 1\n');
  });

  it('TRN-06: refuses every address but the two of loopback before anything is bound', async () => {
    const hosts = ['0.0.0.0', '::', '', 'localhost', 'LOCALHOST', 'example.com', '192.168.1.2', '127.0.0.2'];
    for (const host of [...hosts, '::ffff:127.0.0.1', '0:0:0:0:0:0:0:1', '[::1]', '127.1', '127.0.0.1 ']) {
      await expect(startDoor(JSON.parse(JSON.stringify({ host }))), host).rejects.toMatchObject({
        code: 'refused',
        nextStep: expect.stringContaining('127.0.0.1'),
      });
    }
  });

  it('TRN-06: the system shows it on loopback only, and both loopback addresses behave alike', async () => {
    const six = Object.values(networkInterfaces()).some((all) =>
      all?.some(({ address }) => address === '::1'),
    );
    const hosts = six ? (['127.0.0.1', '::1'] as const) : (['127.0.0.1'] as const);
    for (const host of hosts) {
      const door = await startDoor({ host });
      if (process.platform === 'linux') expect(listeningAt(door.port)).toEqual([host]);
      expect(statuses(await door.exchange(door.post(closing)))).toEqual([200]);
      const named = door.post({ ...closing, Host: `localhost:${door.port}` });
      expect(statuses(await door.exchange(named))).toEqual([200]);
      const crossed = host === '::1' ? '127.0.0.1' : '[::1]';
      const other = door.post({ ...closing, Host: `${crossed}:${door.port}` });
      expect(statuses(await door.exchange(other))).toEqual([403]);
    }
  });

  it('refuses an endpoint that is no path of its own, and an origin that is none', async () => {
    for (const endpoint of ['', 'mcp', '/healthz', '/metrics', '/mcp?a', '/a b', '/mcp#a', '/%6dcp']) {
      await expect(startDoor({ endpoint }), endpoint).rejects.toMatchObject({ code: 'invalid_input' });
    }
    for (const origin of ['*', 'null', '', 'localhost:1', 'http://localhost:1/', 'http://*.example.com']) {
      await expect(startDoor({ origins: [origin] }), origin).rejects.toMatchObject({
        code: 'invalid_input',
        nextStep: expect.stringContaining('--allow-origin'),
      });
    }
    await startDoor({ endpoint: '/a/b-c_d.e~f', origins: ['vscode-file://vscode-app', 'http://[::1]:80'] });
  });

  it('says which port is taken and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    await expect(startDoor({ port })).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringContaining(`${port}`),
      nextStep: expect.stringContaining('--port'),
    });
  });

  it('closes at once where nothing is under way, and twice as well as once', async () => {
    const door = await startDoor();
    const idle = await door.connect();
    const used = await door.connect();
    used.write(door.post());
    await readUntil(used, '{"ok":true}');
    const ends = [readAll(idle), readAll(used)];
    await Promise.all([door.close(), door.close(), ...ends]);
    expect(door.counts()).toEqual({ calls: 0, streams: 0, sockets: 0 });
  });
});

/** The addresses on which the kernel listens at a port; it writes them in hexadecimal, in the order of the machine. */
function listeningAt(port: number): string[] {
  const at = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(
        ([, local = '', , state]) =>
          state === '0A' && Number.parseInt(local.split(':')[1] ?? '', 16) === port,
      )
      .map(([, local = '']) => names.get(local.split(':')[0] ?? '') ?? local);
  return [...at('/proc/net/tcp'), ...at('/proc/net/tcp6')];
}

const names = new Map([
  ['0100007F', '127.0.0.1'],
  ['00000000000000000000000001000000', '::1'],
]);
