import { createServer, type Server, type Socket } from 'node:net';
import { BridgePool } from '../../../bridge-pool.ts';
import { within } from '../../../core/call.ts';
import { LspanError } from '../../../core/errors.ts';
import { limits } from '../../../core/limits.ts';
import type { Log } from '../../../core/log.ts';
import { resultOrError } from '../../../core/runtime/result.ts';
import { type Build, buildOf } from '../../../platform/files/identity-files.ts';
import { removePrivateFile, renamePrivateFile } from '../../../platform/files/private-file.ts';
import { fillPrivateFile } from '../../../platform/files/private-folder.ts';
import { thisProcess } from '../../../platform/processes/process-identity.ts';
import { catalogue } from '../../../surfaces/catalogue.ts';
import { version } from '../../../version.ts';
import { EngineTuner } from '../../engine-flags.ts';
import { Channel } from '../channel.ts';
import { connectTo } from '../client/connect.ts';
import { makeSecret } from '../hello.ts';
import type { DaemonStatus, LastCall, WorkspaceStatus } from '../messages.ts';
import { type DaemonPlace, daemonNames, placeNamed } from '../place.ts';
import { ClientSession } from './client-session.ts';
import { OwnFiles } from './own-files.ts';

/** The settings of a daemon. */
export interface DaemonSettings {
  readonly place: DaemonPlace;
  readonly build: Build;
  readonly log: Log;
  /** Milliseconds without a call after which it leaves. */
  readonly idle?: number;
}

/** How a daemon ends. */
interface CloseOptions {
  /** True if calls in progress are not waited for. */
  readonly hurried?: boolean;
  /** Called when nobody can reach it any more, and another one may start. */
  readonly onUnreachable?: () => void;
}

/** Why a daemon ends. */
export type DaemonEnding = 'idle' | 'stopped' | 'replaced' | 'unreachable';

/** The one process of a user that answers the calls of all clients of one build. It must hold the lock of its place. */
export class DaemonServer {
  /** Resolves when it should leave. */
  readonly ended: Promise<DaemonEnding>;
  readonly #settings: DaemonSettings;
  readonly #pool: BridgePool;
  readonly #sessions = new Set<ClientSession>();
  readonly #lastCalls: LastCall[] = [];
  readonly #startedAt = performance.now();
  readonly #server: Server;
  #secret = '';
  #files: OwnFiles | undefined;
  #end: (ending: DaemonEnding) => void = () => {};
  #leaving: DaemonEnding | undefined;
  #idle: NodeJS.Timeout | undefined;
  /** True once a client has attached. */
  #isUsed = false;

  constructor(settings: DaemonSettings) {
    this.#settings = settings;
    const tuner = new EngineTuner();
    const onCallRemoved = (left: number) => tuner.onCallRemoved(left);
    this.#pool = new BridgePool({ log: settings.log, onCallRemoved });
    this.#server = createServer((socket) => this.#receive(socket));
    // Whoever comes when all places are taken is told so, and those who only ask for the status have room.
    this.#server.maxConnections = limits.daemon.clients + limits.daemon.requestsOfClient;
    // One that cannot be accepted, since this process has too many files open, comes again.
    this.#server.on('error', (error) => settings.log('warn', 'daemon.not_accepted', { error }));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Makes the secret and opens the socket; what an earlier daemon left there is removed. */
  async listen(): Promise<void> {
    const { place } = this.#settings;
    this.#secret = makeSecret(place.secret);
    fillPrivateFile(place.process, { text: JSON.stringify(thisProcess()) });
    removePrivateFile(place.opening);
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(place.opening, resolve);
    });
    renamePrivateFile(place.opening, place.socket);
    this.#files = new OwnFiles([place.socket, place.secret, place.process]);
    this.#files.watch(() => void this.#leave('unreachable'));
    // The client that started it may have gone.
    this.#idle = setTimeout(() => void this.#leave('idle'), limits.daemon.unused);
  }

  /** Finishes the calls in progress, and ends everything. */
  async close({ hurried = false, onUnreachable }: CloseOptions = {}): Promise<void> {
    clearTimeout(this.#idle);
    const { place } = this.#settings;
    this.#server.close();
    this.#files?.remove();
    removePrivateFile(place.silence);
    onUnreachable?.();
    const leave = (isMeant: (session: ClientSession) => boolean) => {
      for (const session of this.#sessions) if (isMeant(session)) session.channel.close('The daemon leaves.');
    };
    leave(({ attached, calls }) => attached !== undefined && calls === 0);
    if (!hurried) await within(this.#calm(), limits.daemon.drain);
    leave(({ attached }) => attached !== undefined);
    // Servers that have not ended by then end with this process.
    await within(this.#pool.close({ hurried: true }), limits.leaving);
    // Whoever asked it to leave waits for this.
    leave(() => true);
  }

  #receive(socket: Socket): void {
    const session = new ClientSession(socket, {
      secret: this.#secret,
      pool: this.#pool,
      onCallEnd: (call) => this.#note(call),
      onRest: () => {
        this.#rest();
        this.#tellCalm();
      },
      control: (method) => this.#control(method),
      refusal: () => this.#refusal(),
    });
    this.#sessions.add(session);
    session.channel.closed.then(() => {
      this.#sessions.delete(session);
      this.#tellCalm();
    });
  }

  #refusal(): LspanError | undefined {
    if (this.#leaving) return leaving();
    const attached = [...this.#sessions].filter((session) => session.attached);
    return attached.length < limits.daemon.clients ? undefined : full();
  }

  #control(method: string): Promise<unknown> | undefined {
    if (method === 'alive') return Promise.resolve(null);
    if (method === 'catalogue') return Promise.resolve(catalogue);
    if (method === 'status') return this.#status();
    if (method === 'stop') return this.#leave('stopped');
    if (method === 'drain') return this.#isReplaced() ? this.#leave('replaced') : Promise.resolve(null);
    return undefined;
  }

  /** The answer is sent before the connection ends. */
  async #leave(ending: DaemonEnding): Promise<null> {
    if (this.#leaving === undefined) {
      this.#leaving = ending;
      setImmediate(() => this.#end(ending));
    }
    return null;
  }

  /** True if the program on the disk is another one by now, or gone. */
  #isReplaced(): boolean {
    const { executable, id } = this.#settings.build;
    const now = resultOrError(() => buildOf(executable));
    return now instanceof LspanError || now.id !== id;
  }

  #note(call: Omit<LastCall, 'at'>): void {
    this.#lastCalls.push({ ...call, at: new Date().toISOString() });
    if (this.#lastCalls.length > limits.daemon.lastCalls) this.#lastCalls.shift();
  }

  /** Clients never disconnect, so only calls count. */
  #rest(): void {
    if (this.#isUsed) this.#idle?.refresh();
    else {
      this.#isUsed = true;
      clearTimeout(this.#idle);
      this.#idle = setTimeout(() => {
        if (this.#callCount() > 0) this.#rest();
        else void this.#leave('idle');
      }, this.#settings.idle ?? limits.daemon.idle);
    }
  }

  #callCount(): number {
    return [...this.#sessions].reduce((sum, { calls }) => sum + calls, 0);
  }

  #tellCalm: () => void = () => {};

  /** Resolves when no call is in progress. */
  async #calm(): Promise<void> {
    if (this.#callCount() === 0) return;
    await new Promise<void>((resolve) => {
      this.#tellCalm = () => setImmediate(() => this.#callCount() === 0 && resolve());
    });
  }

  async #status(): Promise<DaemonStatus> {
    const { build } = this.#settings;
    const { memory } = this.#pool;
    return {
      pid: process.pid,
      version,
      executable: build.executable,
      uptimeSeconds: Math.round((performance.now() - this.#startedAt) / 1000),
      memoryBytes: process.memoryUsage.rss(),
      isLeaving: this.#leaving !== undefined,
      servers: { count: memory.servers, usedBytes: memory.used, mostBytes: memory.most },
      clients: [...this.#sessions].flatMap(({ attached, calls }) =>
        attached ? [{ ...attached.client, roots: attached.roots, readOnly: attached.readOnly, calls }] : [],
      ),
      workspaces: await Promise.all(this.#pool.entries.map(workspaceStatus)),
      lastCalls: [...this.#lastCalls].reverse(),
    };
  }
}

async function workspaceStatus({
  roots,
  calls,
  unused,
  bridge,
}: BridgePool['entries'][number]): Promise<WorkspaceStatus> {
  const byRoot = (await bridge?.serversByRoot?.()) ?? [];
  const running = byRoot.flatMap(({ servers }) => servers).filter(({ pid }) => pid !== undefined);
  const servers = running.map(({ id, root, state, pid, memoryBytes, uptimeSeconds, doubts }) => ({
    ...{ id, root, state, pid, memoryBytes, uptimeSeconds },
    doubts: doubts.map(({ kind }) => kind),
  }));
  return { roots, calls, unusedSeconds: Math.round(unused / 1000), servers };
}

function leaving(): LspanError {
  return new LspanError('busy', 'The daemon is leaving.', { nextStep: 'Connect again.' });
}

function full(): LspanError {
  return new LspanError('limit_exceeded', `it has ${limits.daemon.clients} clients already.`);
}

/** Asks the daemons of other builds to leave if their program was replaced: nobody is shown answers of old code. */
export async function drainOthers(
  { folder, name }: Pick<DaemonPlace, 'folder' | 'name'>,
  log: Log,
): Promise<void> {
  const others = daemonNames(folder).filter((other) => other !== name);
  for (const other of others) {
    const channel = await connectTo(placeNamed(folder, other));
    if (!(channel instanceof Channel)) continue;
    await channel
      .request('drain', {})
      .catch((error: unknown) => log('warn', 'daemon.not_drained', { error }));
    channel.close();
  }
}
