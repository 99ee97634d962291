import { onTestFinished } from 'vitest';
import { type Bridge, type BridgeSettings, createBridge } from '../../src/index.ts';
import { type FakeScript, writeScript } from '../fake-server/script.ts';
import { makeProject } from './make-project.ts';

/** A bridge as another program has it, over a project of its own with a fake server, for the length of a test. */
export async function embed(
  setting: {
    readonly files?: Readonly<Record<string, string>>;
    readonly script?: FakeScript;
    readonly settings?: Partial<BridgeSettings>;
  } = {},
): Promise<Bridge & { readonly root: string }> {
  const root = makeProject(setting.files ?? project);
  const config = configOf(setting.script);
  const bridge = await createBridge({ workspace: root, config, ...setting.settings });
  onTestFinished(() => bridge.close());
  return Object.assign(bridge, { root });
}

/** A configuration with the fake server alone. */
export function configOf(script: FakeScript = {}): NonNullable<Exclude<BridgeSettings['config'], string>> {
  const { args, dispose } = writeScript(script);
  onTestFinished(dispose);
  return { servers: [{ id: 'fake', command: [process.execPath, ...args], extensions: ['txt'] }] };
}

/** Two files that use each other's words. */
const project = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
