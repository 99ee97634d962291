import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { endEarlier, noteConnection } from '../../../src/frontends/via/earlier-process.ts';
import { readStat } from '../../../src/platform/processes/process-files.ts';
import { thisProcess } from '../../../src/platform/processes/process-identity.ts';
import { temporaryFolder } from '../../test-bridge.ts';

const id = '00000000-0000-4000-8000-000000000000';

/** A note about some process, as another connection has left it. */
function noted(identity: object) {
  const environment = { XDG_STATE_HOME: temporaryFolder('lspan-state-') };
  noteConnection(environment, id);
  const file = path.join(environment.XDG_STATE_HOME, 'lspan/via', `${id}.pid`);
  writeFileSync(file, JSON.stringify({ ...thisProcess(), ...identity }));
  return { environment, file };
}

describe('the process of a broken connection', () => {
  it('VIA-05 is ended, whatever it does, before the next one begins', async () => {
    const child = spawn('/bin/sleep', ['1000000']);
    await once(child, 'spawn');
    const { pid = 0 } = child;
    const { environment, file } = noted({ pid, started: readStat(pid)?.startTime });
    const ended = once(child, 'exit');
    await endEarlier(environment, id);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect(existsSync(file)).toBe(false);
  });

  it('VIA-05 is left alone if its number has gone to another one', async () => {
    const child = spawn('/bin/cat');
    const { environment, file } = noted({ pid: child.pid, started: 1 });
    await endEarlier(environment, id);
    child.stdin.write('alive');
    expect(String(await once(child.stdout, 'data'))).toBe('alive');
    expect(existsSync(file)).toBe(false);
    child.kill();
  });

  it('VIA-05 is not known to have ended in another namespace, until it has given no sign of life', async () => {
    const { environment, file } = noted({ pid: 1, space: 'pid:[1]' });
    await expect(endEarlier(environment, id)).rejects.toMatchObject({ code: 'busy' });
    const past = (Date.now() - limits.via.abandoned - 3 * limits.via.beat) / 1000;
    utimesSync(file, past, past);
    await endEarlier(environment, id);
    expect(existsSync(file)).toBe(false);
  });
});
