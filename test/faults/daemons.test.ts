import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { endDaemons } from '../../src/platform/processes/daemons.ts';
import { witness } from '../backends/lsp/process/witness.ts';
import { expectInOrder, openTestBridge } from '../test-bridge.ts';

const patience = { timeout: 120_000 };
/** A session of its own, and soon nobody's child. */
const daemon = 'setsid sleep 1000000 &';
const ended = ({ event }: { readonly event: string }) => event === 'server_daemons_ended';

describe.skipIf(process.platform !== 'linux')('PRC-16 a server that lets a daemon go', () => {
  it('takes it along when it is stopped, and that is told', patience, async () => {
    const { hold, allGone } = witness();
    const bridge = await openTestBridge({ servers: { fake: { before: `${hold}\n${daemon}\n${daemon}` } } });
    await expectInOrder(bridge);
    await bridge.close();
    await allGone;
    const { fields } = await bridge.logged.nth(ended);
    expect(fields.daemons).toMatchObject([{ name: 'sleep' }, { name: 'sleep' }]);
  });

  it('takes it along when it crashes, and the status tells it', patience, async () => {
    const { hold, allGone } = witness();
    const bridge = await openTestBridge({ servers: { fake: { before: `${hold}\n${daemon}` } } });
    await expectInOrder(bridge);
    process.kill(bridge.pids()[0] ?? Number.NaN, 'SIGKILL');
    await allGone;
    await bridge.logged.nth(ended);
    const { data, text } = await bridge.call('get_server_status', {});
    expect(data).toMatchObject({ servers: [{ state: 'crashed', daemons_ended: ['sleep'] }] });
    expect(text).toMatch(/leftover processes, ended: sleep/);
  });

  it('leaves everybody else alone, whatever their environment holds', patience, async () => {
    const bystanders = ['LSPAN_SERVER', 'NOT_LSPAN_SERVER'].map((name) =>
      spawn('/bin/cat', { env: { [name]: '00000000-0000-4000-8000-000000000000.1' }, stdio: 'pipe' }),
    );
    onTestFinished(() => {
      for (const child of bystanders) child.kill('SIGKILL');
    });
    const bridge = await openTestBridge({ servers: { fake: { before: daemon } } });
    await expectInOrder(bridge);
    await bridge.close();
    await bridge.logged.nth(ended);
    for (const child of bystanders) {
      child.stdin.write('alive');
      expect(String(await once(child.stdout, 'data'))).toBe('alive');
    }
  });

  it('is told from one whose mark begins alike', patience, async () => {
    const marked = (mark: string) =>
      spawn('/bin/cat', { env: { MARK: mark }, stdio: 'pipe', detached: true });
    const [mine, other] = [marked('x.1'), marked('x.12')];
    onTestFinished(() => void other.kill('SIGKILL'));
    const gone = once(mine, 'exit');
    expect(endDaemons('MARK=x.1', 0)).toMatchObject([{ pid: mine.pid, name: 'cat' }]);
    expect(await gone).toEqual([null, 'SIGKILL']);
    other.stdin.write('alive');
    expect(String(await once(other.stdout, 'data'))).toBe('alive');
  });
});
