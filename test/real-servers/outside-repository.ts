import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type Bridge, openBridge } from '../../src/bridge.ts';
import type { BridgeSettings } from '../../src/bridge-settings.ts';
import { writeTrustOf } from '../../src/config/trust/write-trust.ts';
import { silent } from '../../src/core/log.ts';
import { offerTrust } from '../../src/offline.ts';
import type { ConfineMode } from '../../src/servers/definition.ts';
import { servers } from '../../src/servers/index.ts';
import { patient } from '../patient.ts';
import { temporaryFolder } from '../workspace/sandbox.ts';

/** A repository with one trap, which makes a server read a file outside. */
export interface Trap {
  readonly server: string;
  readonly asked: string;
  /** Files of the repository; the words `<outside>` in them mean the folder outside. */
  readonly files: Readonly<Record<string, string>>;
  readonly outside: Readonly<Record<string, string>>;
  /** Links of the repository to files outside, by name. */
  readonly links?: Readonly<Record<string, string>>;
  /** What the answer contains in place of the text. */
  readonly told: string;
}

interface Given extends Pick<Trap, 'server' | 'files' | 'outside' | 'links'> {
  /** The folder of the files. Default: a new one, which is the root. */
  readonly folder?: string;
  /** The root, relative to that folder. */
  readonly root?: string;
  readonly trusted?: boolean;
  /** Default: never, since a sandbox would hide the folder outside. */
  readonly confine?: ConfineMode;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Opens a bridge over a repository, with only this server. */
export async function openOutside({
  server,
  files,
  outside,
  links = {},
  trusted = false,
  settings,
  ...given
}: Given): Promise<Bridge> {
  const made = () => realpathSync(temporaryFolder());
  const [folder, other, state] = [given.folder ?? made(), made(), made()];
  const root = path.join(folder, given.root ?? '');
  const fill = (text: string) => text.replaceAll('<outside>', other);
  const place = (folder: string, name: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    return path.join(folder, name);
  };
  for (const [name, text] of Object.entries(outside)) writeFileSync(place(other, name), text);
  for (const [name, text] of Object.entries(files)) writeFileSync(place(folder, name), fill(text));
  for (const [name, target] of Object.entries(links))
    symlinkSync(path.join(other, target), place(root, name));
  const own = settings ? [{ id: server, settings: JSON.parse(fill(JSON.stringify(settings))) }] : [];
  const bridgeSettings: BridgeSettings = {
    roots: [root],
    surface: 'lspan',
    overrides: {
      ...patient,
      disabledServers: servers.map(({ id }) => id).filter((id) => id !== server),
      servers: own,
      confine: given.confine ?? 'never',
    },
    environment: { ...process.env, XDG_STATE_HOME: state, XDG_CACHE_HOME: path.join(state, 'cache') },
    log: silent,
  };
  if (trusted) writeTrustOf(offerTrust({ ...bridgeSettings, root }), bridgeSettings.environment ?? {});
  const bridge = await openBridge(bridgeSettings);
  onTestFinished(() => bridge.close());
  return bridge;
}
