import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Channel } from '../../../src/frontends/daemon/channel.ts';
import { connectTo } from '../../../src/frontends/daemon/client/connect.ts';
import { toFrame } from '../../../src/frontends/daemon/frames.ts';
import { newNonce, proofOf } from '../../../src/frontends/daemon/hello.ts';
import { lackedPrograms, unlessSkipped } from '../../missing-programs.ts';
import { question } from '../../test-bridge.ts';
import { type DaemonWorld, daemonWorld } from './daemon-world.ts';

const hello = { id: 1, method: 'hello', params: { nonce: newNonce() } };

const frame = (message: object) => toFrame(message);

/** What a stranger sends, by what it is. */
const sent: Readonly<Record<string, readonly (object | string)[]>> = {
  'what is no message': ['GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  'bytes of no text': ['\u0000\u0001\uffff\n'.repeat(100)],
  'nothing at all': [],
  'half a message': [frame(hello).subarray(0, 30)],
  'half a length': [Buffer.of(40, 0)],
  'a message of four gigabytes': [Buffer.from('ffffffff0a000000', 'hex')],
  'a message longer than a hello': [frame({ ...hello, params: { nonce: 'x'.repeat(5_000) } })],
  'a message longer than its frame': [Buffer.from('08000000ff0000007b7d7b7d', 'hex')],
  'an empty message': [Buffer.from('0400000000000000', 'hex')],
  'a body that is no JSON': [Buffer.from('07000000030000007b7b7b', 'hex')],
  'JSON that is no message': [frame([1, 2])],
  'a question without a proof': [{ id: 1, method: 'status' }],
  'a call without a proof': [hello, { id: 2, method: 'attach', params: {} }],
  'a wrong proof': [hello, { id: 2, method: 'prove', params: { proof: 'x'.repeat(64) } }],
  'a proof of the wrong type': [hello, { id: 2, method: 'prove', params: { proof: 17 } }],
  'a proof without a hello': [{ id: 1, method: 'prove', params: { proof: 'x'.repeat(64) } }],
  'a hello with a short value': [{ id: 1, method: 'hello', params: { nonce: 'x' } }],
  'a second hello': [hello, { ...hello, id: 2 }],
  'answers to what nobody asked': [
    { id: 7, result: {} },
    { id: 8, method: 'stop' },
  ],
};

describe('the socket of the daemon', () => {
  it.each(Object.entries(sent))(
    'DMN-09 is closed to whoever sends %s, and others are served',
    async (_, messages) => {
      const world = daemonWorld();
      const bridge = await world.open();
      const socket = await stranger(world);
      const heard: Buffer[] = [];
      socket.on('data', (chunk) => heard.push(chunk));
      const closed = once(socket, 'close');
      for (const message of messages)
        socket.write(typeof message === 'string' || message instanceof Buffer ? message : frame(message));
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      await closed;
      expect(Buffer.concat(heard).toString('utf8')).not.toMatch(/"pid":\d+,"version"|"config"/);
      expect((await bridge.call(question.tool, question.input)).data).toMatchObject(question.answer);
      expect((await world.status())[0]?.clients).toHaveLength(1);
      expect(world.starts()).toBe(1);
    },
  );

  it('DMN-09 hears a proof that was made for another connection as a wrong one', async () => {
    const world = daemonWorld();
    await world.open();
    const secret = readFileSync(world.place().secret, 'utf8');
    const socket = await stranger(world);
    const closed = once(socket, 'close');
    const proof = proofOf(secret, 'client', { client: newNonce(), daemon: newNonce() });
    socket.resume();
    socket.write(frame(hello));
    socket.write(frame({ id: 2, method: 'prove', params: { proof } }));
    await closed;
  });

  it('DMN-09 is in a folder that nobody else can open, as is its secret', async () => {
    const world = daemonWorld();
    await world.open();
    expect(statSync(world.daemons).mode & 0o777).toBe(0o700);
    expect(statSync(world.place().secret).mode & 0o777).toBe(0o600);
  });

  const lacked = process.getuid?.() === 0 ? lackedPrograms('setpriv') : 'only root can become another user';
  it.skipIf(lacked !== '')(
    unlessSkipped(lacked, 'DMN-09 cannot be reached by another user, who cannot read its secret either'),
    async () => {
      const world = daemonWorld();
      await world.open();
      const { socket, secret, silence } = world.place();
      // As far as the folder of the daemon itself, nothing keeps others out.
      for (let at = path.dirname(world.daemons); at.startsWith(world.folder); at = path.dirname(at))
        chmodSync(at, 0o755);
      const tries = `
        import { readFileSync, writeFileSync } from 'node:fs';
        import { connect } from 'node:net';
        const codeOf = (work) => { try { work(); return 'done'; } catch ({ code }) { return code; } };
        const codes = [
          codeOf(() => readFileSync(${JSON.stringify(secret)})),
          codeOf(() => writeFileSync(${JSON.stringify(silence)}, '')),
        ];
        connect(${JSON.stringify(socket)}).on('connect', () => console.log('connected')).on('error', ({ code }) => {
          console.log([...codes, code].join());
        });`;
      const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
      const { stdout } = spawnSync('/usr/bin/setpriv', [...nobody, '--input-type=module', '-e', tries], {
        cwd: '/',
        encoding: 'utf8',
      });
      expect(stdout.trim()).toBe('EACCES,EACCES,EACCES');
    },
  );

  it('DMN-09 refuses what cannot be read of a client that has proved itself, and stays open', async () => {
    const world = daemonWorld();
    await world.open();
    const channel = await connectTo(world.place());
    if (!(channel instanceof Channel)) throw new Error(channel);
    onTestFinished(() => channel.close());
    const refused = (method: string, params: unknown) =>
      expect(channel.request(method, params)).rejects.toMatchObject({ code: 'invalid_input' });
    await refused('attach', {});
    await refused('attach', { settings: { roots: [1], environment: {} }, client: {}, readOnly: true });
    await refused('call', { id: 'x', tool: 'get_hover' });
    await refused('no_such_method', null);
    const settings = { roots: [world.root], environment: world.environment, configFile: world.config };
    const client = { pid: process.pid, command: 'mcp' };
    await channel.request('attach', { settings, client, readOnly: false });
    await refused('attach', { settings, client, readOnly: false });
    await refused('call', { tool: 7 });
    await refused('locate', {});
    expect(await channel.request('alive', {})).toBeNull();
  });

  it('DMN-09 does not keep what a client does not read', async () => {
    const world = daemonWorld();
    const [listening, path_] = [createServer({ allowHalfOpen: true }), path.join(world.folder, 'sock')];
    onTestFinished(() => void listening.close());
    const accepted = once(listening, 'connection');
    await new Promise<void>((resolve) => {
      listening.listen(path_, resolve);
    });
    const deaf = connect(path_);
    onTestFinished(() => void deaf.destroy());
    const [socket] = await accepted;
    const channel = new Channel(socket, { answer: async () => null });
    const gone = once(socket, 'close');
    const text = 'x'.repeat(1024 ** 2);
    let isClosed = false;
    void channel.closed.then(() => {
      isClosed = true;
    });
    while (!isClosed) {
      channel.notify('problems', { text });
      await Promise.resolve();
    }
    expect(await channel.closed).toBe('The other side does not read.');
    await gone;
    expect(socket.writableLength).toBe(0);
  });
});

async function stranger({ place }: DaemonWorld): Promise<Socket> {
  const socket = connect(place().socket);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}
