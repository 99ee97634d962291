import { onTestFinished } from 'vitest';
import { type Bridge, type BridgeSettings, createBridge } from '../../src/index.ts';
import { type FakeScript, writeScript } from '../fake-server/script.ts';
import { makeProject } from './make-project.ts';

/** Creates an embedded bridge over its own project with a fake server, closed with the test. */
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

/** A configuration with only the fake server. */
export function configOf(script: FakeScript = {}): NonNullable<Exclude<BridgeSettings['config'], string>> {
  const { entry, dispose } = writeScript(script);
  onTestFinished(dispose);
  return { servers: [entry] };
}

/** Two files that use each other's names. */
const project = { 'a.txt': 'function alpha\nalpha beta\n', 'b.txt': 'alpha is used\nfunction beta\n' };
