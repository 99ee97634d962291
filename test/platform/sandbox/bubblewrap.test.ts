import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSandbox } from '../../../src/platform/sandbox/open-sandbox.ts';
import type { SandboxRules } from '../../../src/platform/sandbox/sandbox.ts';
import { inSandbox, unconfinable } from '../../confined.ts';
import { unlessSkipped } from '../../missing-programs.ts';
import { temporaryFolder } from '../../test-bridge.ts';

describe.skipIf(unconfinable !== '')(inSandbox('SUP-11 a confined program'), () => {
  it('CNF-01 writes to its own folders and nowhere else: not to the workspace, the system or the home', async () => {
    const place = makePlace();
    const { root, cache, home } = place;
    const targets = [root, '/usr', '/var', '/etc', path.join(home, 'go'), path.join(home, '.cargo'), cache];
    const said = await place.run(
      targets.map((each) => `touch ${each}/proof 2>/dev/null && echo ${each}`).join(';'),
    );
    expect(said.trim()).toBe(cache);
    expect(existsSync(path.join(cache, 'proof'))).toBe(true);
    for (const each of [root, path.join(home, 'go'), path.join(home, '.cargo')])
      expect(existsSync(path.join(each, 'proof'))).toBe(false);
  });

  it('CNF-01 leaves nothing in the home and in the temporary folder, although it may write there', async () => {
    const place = makePlace();
    const said = await place.run(
      `echo x > ~/.proof && echo x > /tmp/lspan-proof && cat ~/.proof /tmp/lspan-proof`,
    );
    expect(said).toBe('x\nx\n');
    expect(existsSync(path.join(place.home, '.proof'))).toBe(false);
    expect(existsSync('/tmp/lspan-proof')).toBe(false);
  });

  it('CNF-02 sees no secrets of the home, by their names, by links or within toolchains', async () => {
    const place = makePlace();
    const { root, home } = place;
    const secrets = [
      ...[
        '.ssh/id',
        '.aws/credentials',
        '.gnupg/ring',
        '.npmrc',
        '.netrc',
        '.config/gh/hosts.yml',
        '.unheard-of/token',
      ],
      ...['.mozilla/firefox/logins.json', '.config/google-chrome/Login', 'snap/firefox/logins.json'],
      ...['.cargo/credentials.toml', '.local/share/keyrings/login.keyring'],
    ];
    for (const name of secrets) write(path.join(home, name), 'secret');
    symlinkSync(path.join(home, '.ssh'), path.join(root, 'keys'));
    symlinkSync(path.join(home, '.ssh/id'), path.join(home, 'id'));
    const files = [
      ...secrets.map((name) => path.join(home, name)),
      path.join(root, 'keys/id'),
      path.join(home, 'id'),
    ];
    expect(await place.run(`cat ${files.join(' ')} 2>/dev/null; ls -A ${home}/.ssh 2>/dev/null`)).toBe('');
    expect(await place.run(`grep -rs secret ${home} ${root}`)).toBe('');
  });

  it('sees the workspace, toolchains, its settings and what it is given, by their own paths', async () => {
    const place = makePlace();
    const { root, home } = place;
    const files = [
      'go/pkg/mod/a.go',
      '.cargo/registry/lib.rs',
      '.editorconfig',
      'notes/todo.txt',
      '.hidden/given/a',
    ];
    for (const name of files) write(path.join(home, name), `${name}\n`);
    write(path.join(root, 'a.ts'), 'a.ts\n');
    const all = [...files.map((name) => path.join(home, name)), path.join(root, 'a.ts')];
    const reads = [path.join(home, '.hidden/given')];
    expect(await place.run(`cat ${all.join(' ')}`, { reads })).toBe(`${[...files, 'a.ts'].join('\n')}\n`);
  });

  const unshared = existsSync('/dev/shm') ? '' : 'this system has no /dev/shm';
  it.skipIf(unshared !== '')(
    unlessSkipped(unshared, 'sees a workspace in the shared memory, and nothing else there'),
    async () => {
      const shared = realpathSync(mkdtempSync('/dev/shm/lspan-shared-'));
      onTestFinished(() => rmSync(shared, { recursive: true }));
      const [seen, unseen] = [path.join(shared, 'project'), path.join(shared, 'other')];
      for (const each of [seen, unseen]) write(path.join(each, 'a'), 'read\n');
      const place = makePlace();
      expect(await place.run(`cat ${seen}/a ${unseen}/a 2>/dev/null`, { reads: [seen] })).toBe('read\n');
      expect(await place.run(`touch ${seen}/proof 2>/dev/null && echo written`, { reads: [seen] })).toBe('');
    },
  );

  it('CNF-02 sees nothing of lspan that is hidden, even in a folder that it reads', async () => {
    const place = makePlace();
    const state = path.join(place.home, 'state/lspan');
    write(path.join(state, 'token'), 'secret');
    write(path.join(place.home, 'state/config.toml'), 'secret');
    const hides = [state, path.join(place.home, 'state/config.toml')];
    expect(await place.run(`grep -rs secret ${place.home}`, { hides })).toBe('');
  });

  it('CNF-02 gets no home back by a folder that contains it', async () => {
    const place = makePlace();
    write(path.join(place.home, '.ssh/id'), 'secret');
    const reads = [place.home, path.dirname(place.home), '/'];
    expect(await place.run(`cat ${place.home}/.ssh/id 2>/dev/null`, { reads })).toBe('');
  });

  it('CNF-03 reaches no network: not this machine, and no socket of another program', async () => {
    const place = makePlace();
    const listener = await listening({ port: 0, host: '127.0.0.1' });
    const address = listener.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const sockets = [path.join(temporaryFolder('lspan-socket-'), 's'), path.join(place.home, '.agent.sock')];
    for (const each of sockets) await listening({ path: each });
    let calls = 0;
    listener.on('connection', () => {
      calls += 1;
    });
    const targets = [{ port, host: '127.0.0.1' }, ...sockets.map((each) => ({ path: each }))];
    const script = `for (const to of ${JSON.stringify(targets)}) require('net').connect(to)
      .on('connect', () => { console.log('connected', to); process.exit() }).on('error', (e) => console.log(e.code))`;
    const said = await place.run(`"${process.execPath}" -e '${script.replaceAll("'", `'\\''`)}'`);
    expect(said.trim().split('\n').sort()).toEqual(['ECONNREFUSED', 'ENOENT', 'ENOENT']);
    expect(calls).toBe(0);
  });

  it('CNF-04 gains no privileges, and has none', async () => {
    const status = await makePlace().run('cat /proc/self/status');
    expect(/^NoNewPrivs:\s+1$/m.test(status)).toBe(true);
    expect(/^CapEff:\s+0+$/m.test(status)).toBe(true);
    expect(/^CapBnd:\s+0+$/m.test(status)).toBe(true);
  });

  it('CNF-05 sees no process of others, and shares no memory with them', async () => {
    const place = makePlace();
    const spaces = ['pid', 'ipc', 'net', 'uts', 'mnt', 'user'];
    const inner = (await place.run(spaces.map((each) => `readlink /proc/self/ns/${each}`).join(';'))).trim();
    const outer = spaces.map((each) => readlinkSync(`/proc/self/ns/${each}`));
    expect(inner.split('\n').filter((each) => outer.includes(each))).toEqual([]);
    expect(inner.split('\n')).toHaveLength(spaces.length);
    const seen = await place.run('ls /proc | grep -c "^[0-9]"; cat /proc/[0-9]*/comm');
    expect(seen).not.toContain('node');
    expect(Number(seen.split('\n')[0])).toBeLessThan(8);
    mkdirSync(path.join(place.scratch, 'before'));
    expect(readdirSync(place.scratch)).toContain('before');
  });

  it('has the exit code of the program', async () => {
    const place = makePlace();
    await expect(place.run('exit 7')).rejects.toMatchObject({ code: 7 });
    await expect(place.run('kill -SEGV $$')).rejects.toMatchObject({ code: 128 + 11 });
  });
});

describe('a sandbox that does not work', () => {
  it('says that its program is missing', () => {
    expect(openSandbox([temporaryFolder('lspan-empty-')], 'linux')).toBe('bubblewrap is not installed');
  });

  it('says that a platform has none', () => {
    expect(openSandbox([], 'win32')).toBe('lspan has no sandbox for this system yet');
  });

  it('says what the system forbids, in one line', async () => {
    const folder = temporaryFolder('lspan-broken-');
    const text =
      '#!/bin/sh\necho first >&2\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n';
    writeFileSync(path.join(folder, 'bwrap'), text, { mode: 0o700 });
    const sandbox = openSandbox([folder], 'linux');
    const fault = typeof sandbox === 'string' ? sandbox : await sandbox.fault();
    expect(fault).toBe('this system does not allow it (bwrap: No permissions to create new namespace)');
  });
});

/** A home, a workspace in it and the folders of a server, and a way to run shell words confined to them. */
function makePlace() {
  const home = temporaryFolder('lspan-home-');
  const [root, cache, scratch] = [
    path.join(home, 'work/project'),
    path.join(home, '.cache/lspan'),
    temporaryFolder('lspan-s-'),
  ];
  for (const each of [root, cache, path.join(home, 'go'), path.join(home, '.cargo')])
    mkdirSync(each, { recursive: true });
  const run = (words: string, more: Partial<SandboxRules> = {}): Promise<string> => {
    const sandbox = openSandbox((process.env.PATH ?? '').split(':'));
    if (typeof sandbox === 'string') throw new Error(sandbox);
    const rules = {
      home,
      reads: [root, process.execPath, ...(more.reads ?? [])],
      writes: [cache],
      hides: [],
      scratch,
    };
    // The sandbox hides a folder of programs that is in the temporary folder.
    const env = { PATH: `${process.env.PATH}:/usr/bin:/bin`, HOME: home };
    const plain = { file: '/bin/sh', args: ['-c', words], env, cwd: root };
    const { file, args } = sandbox.confine(plain, { ...rules, hides: more.hides ?? [] });
    return new Promise((resolve, reject) => {
      execFile(file, args, { env, encoding: 'utf8' }, (error, stdout) => {
        // The last of several shell words may well have failed.
        if (error && error.code !== 1 && error.code !== 2) reject(error);
        else resolve(stdout);
      });
    });
  };
  return { home, root, cache, scratch, run };
}

async function listening(where: { port: number; host: string } | { path: string }): Promise<Server> {
  const server = createServer();
  server.listen(where);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
}
