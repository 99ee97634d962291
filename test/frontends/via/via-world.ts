import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Bridge } from '../../../src/bridge.ts';
import { silent } from '../../../src/core/log.ts';
import { openBridgeOver } from '../../../src/frontends/daemon/client/daemon-bridge.ts';
import { viaSource } from '../../../src/frontends/via/via-source.ts';
import { buildOf } from '../../../src/platform/files/identity-files.ts';
import type { FakeScript } from '../../fake-server/script.ts';
import { bin, type DaemonWorld, daemonWorld, end, isRunning } from '../daemon/daemon-world.ts';

/** A user of a test, whose project is at the far end of a command. */
export interface ViaWorld extends DaemonWorld {
  /** The words of a command that stands for ssh. */
  readonly via: readonly string[];
  /** The words that start the built program. */
  readonly program: readonly string[];
  /** The processes that were started: those that join the ends, and those at the far end, in order. */
  joining(): readonly number[];
  far(): readonly number[];
  /** A bridge in this process whose work is done at the far end. */
  openVia(options?: ViaWorldOptions): Promise<Bridge>;
}

interface ViaWorldOptions {
  readonly via?: readonly string[];
  readonly program?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes one; when the test has ended, none of its processes is left. */
export function viaWorld(...lives: readonly FakeScript[]): ViaWorld {
  const world = daemonWorld(...lives);
  const notes = path.join(world.folder, 'notes');
  const via = [process.execPath, path.join(import.meta.dirname, 'relay.cjs'), notes];
  const program = [process.execPath, bin];
  const noted = (at: number) =>
    (existsSync(notes) ? readFileSync(notes, 'utf8').split('\n').slice(0, -1) : []).map((line) =>
      Number(line.split(' ')[at]),
    );
  const bridges: Bridge[] = [];
  onTestFinished(async () => {
    for (const bridge of bridges) await bridge.close({ hurried: true });
    for (const pid of [...noted(0), ...noted(1)]) end(pid);
    for (const pid of [...noted(0), ...noted(1)]) await expect.poll(() => isRunning(pid)).toBe(false);
  });
  return {
    ...world,
    ...{ via, program },
    joining: () => noted(0),
    far: () => noted(1),
    openVia: async (options = {}) => {
      const source = viaSource({
        command: options.via ?? via,
        program: options.program ?? program,
        flags: {
          workspace: [world.root],
          additionalRoot: [],
          wideWorkspace: false,
          config: world.config,
        },
        logLevel: 'error',
        environment: { ...world.environment, ...options.environment },
        build: buildOf(bin),
      });
      const settings = { roots: [world.root], surface: 'lspan', log: silent };
      const bridge = await openBridgeOver(settings, { source, command: 'mcp', loaded: buildOf(bin).id });
      bridges.push(bridge);
      return bridge;
    },
  };
}
