import type { PooledSettings } from '../../../bridge-pool.ts';
import type { BridgeSettings } from '../../../bridge-settings.ts';
import { folderIdentity } from '../../../platform/files/file-facts.ts';
import { BuildWatch } from '../../../platform/files/identity-files.ts';
import type { Channel } from '../channel.ts';
import { type DaemonSearch, obtainDaemon, replaceIfHung } from './obtain-daemon.ts';

/** Where a connection gets its channels from: the user's daemon, or lspan at the other end of a command. */
export interface ChannelSource {
  /** Clauses for errors. */
  readonly wording: {
    /** What has ended, such as "The daemon of lspan ended". */
    readonly ended: string;
    /** The next step if it ended twice in a call. */
    readonly afterTwo: string;
  };
  /** Rejects if there is none and the work cannot be done in this process either. */
  obtain(): Promise<ObtainedChannel | { readonly unavailable: string }>;
  /** Returns whether the program on the disk is another one than the build that was connected. */
  isReplaced(build: string | undefined): boolean;
  /** Returns the settings that the other side needs. */
  settingsOf(settings: BridgeSettings): PooledSettings;
  /** Returns what the folders of a workspace are here; absent if the other side has others. */
  foldersOf?(roots: readonly string[]): readonly string[];
  /** Ends what was started for the channels. */
  close(): Promise<void>;
}

/** A channel to a process that answers. */
export interface ObtainedChannel {
  readonly channel: Channel;
  /** The build of that process. */
  readonly build: string;
  /** Called while it does not answer. */
  readonly onSilent: () => void;
}

/** Returns the channels to the user's daemon. */
export function daemonSource(search: DaemonSearch): ChannelSource {
  let watch = new BuildWatch(search.script);
  return {
    wording: {
      ended: 'The daemon of lspan ended',
      afterTwo: 'Call again; if it ends again, start lspan with --no-daemon.',
    },
    obtain: async () => {
      // What it sees must be no newer than the build that is asked for.
      watch = new BuildWatch(search.script);
      const obtained = await obtainDaemon(search);
      if ('unavailable' in obtained) return obtained;
      const { channel, place, build } = obtained;
      return { channel, build: build.id, onSilent: () => void replaceIfHung(place) };
    },
    isReplaced: (build) => watch.isReplaced(build),
    settingsOf: ({ roots, base, additionalRoots, configFile, configValue }) => ({
      ...{ roots, environment: search.environment },
      ...(base !== undefined && { base }),
      ...(additionalRoots && { additionalRoots }),
      ...(configFile !== undefined && { configFile }),
      ...(configValue && { configValue }),
    }),
    foldersOf: (roots) => roots.map(folderIdentity),
    close: async () => {},
  };
}
