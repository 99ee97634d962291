import type { openBridge } from '../../bridge.ts';
import type { BridgeSettings } from '../../bridge-settings.ts';
import { stateFolder } from '../../config/state-folder.ts';
import type { Environment } from '../../config/user-file.ts';
import { limits } from '../../core/limits.ts';
import type { Survey } from '../../offline.ts';
import { cacheFolder } from '../../platform/files/cache-folder.ts';
import { type WatchUse, watchUse } from '../../platform/processes/watch-use.ts';
import { version } from '../../version.ts';
import type { Machine } from '../setup/clients/place.ts';
import type { OwnProcess } from '../setup/launch.ts';
import { examineClients } from './examine-clients.ts';
import { examineDaemons } from './examine-daemon.ts';
import { examineEdits } from './examine-edits.ts';
import { examineFolder, judgeWatches } from './examine-machine.ts';
import { type ExaminedServers, examineServers } from './examine-servers.ts';
import type { DoctorReport, Finding } from './report.ts';

/** What is examined, and how. */
export interface Examination {
  readonly settings: BridgeSettings;
  readonly environment: Environment;
  /** The script of this program. */
  readonly script: string;
  /** Where the files of agents are. */
  readonly machine: Machine;
  /** What agents should start. */
  readonly own: OwnProcess;
  /** True if the user's configuration wants a daemon. */
  readonly isDaemonWanted: boolean;
  /** True if what needs no question is repaired. */
  readonly fix: boolean;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
  readonly open: typeof openBridge;
  /** Milliseconds for the probe of one server. */
  readonly probeTime?: number;
}

/** Examines a workspace, its servers and the machine. Writes nothing into the workspace, unless an edit is recovered. */
export async function examine(examination: Examination): Promise<DoctorReport> {
  const { settings, environment, script, fix, progress, isDaemonWanted: isWanted } = examination;
  const { surveyWorkspace } = await import('../../offline.ts');
  progress('counting files');
  // First, because a bridge that may not write leaves what was interrupted as it is.
  const edits = await examineEdits(settings, fix);
  const survey = await surveyWorkspace(settings);
  const { roots } = survey;
  const state = examineFolder({ area: 'state', path: stateFolder(environment), roots, fix });
  const cache = examineFolder({ area: 'cache', path: cacheFolder(environment), roots, fix });
  const clients = examineClients({ ...examination, project: roots[0] });
  const daemons = await examineDaemons({ environment, script, isWanted, fix });
  const workspace = judgeWorkspace(survey);
  const isTooLarge = workspace.some(({ level }) => level === 'error');
  const servers = isTooLarge ? noServers() : await examineOpened(examination, survey);
  const { watches } = servers;
  const parts = [
    servers.findings,
    servers.notices.map(judgeNotice),
    clients.findings,
    daemons.findings,
    judgeWatches(watches),
  ];
  const findings = [workspace, ...parts, state.findings, edits.findings, cache.findings].flat();
  return {
    lspan_version: version,
    node_version: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    ok: findings.every(({ level }) => level !== 'error'),
    workspace: { roots, files: survey.files, languages: languagesOf(survey, servers) },
    servers: servers.servers,
    clients: clients.clients,
    system: {
      daemons: daemons.daemons,
      ...(watches === undefined ? {} : { watches }),
      state: state.folder,
      cache: cache.folder,
      edits: edits.edits,
    },
    findings,
    fixed: [...edits.fixed, ...state.fixed, ...daemons.fixed],
  };
}

/** The servers, and the watches in use while they ran. */
interface Opened extends ExaminedServers {
  readonly watches: WatchUse | undefined;
}

function noServers(): Opened {
  return { servers: [], findings: [], notices: [], watches: watchUse() };
}

/** Probes in a bridge of this process, which ends with all of its servers, and may write nothing. */
async function examineOpened(examination: Examination, survey: Survey): Promise<Opened> {
  const { open, settings, signal, progress, probeTime = limits.doctor.probe } = examination;
  if (survey.languages.length === 0) return noServers();
  const overrides = { ...settings.overrides, readOnly: true };
  const bridge = await open({ ...settings, overrides });
  const examining = examineServers(bridge, survey, { signal, progress, probeTime });
  return examining
    .then((servers) => ({ ...servers, watches: watchUse() }))
    .finally(() => {
      progress('ending the servers');
      return bridge.close({ hurried: signal.aborted });
    });
}

/** Judges the files of a workspace: whether they are all known, and whether any language is. */
export function judgeWorkspace({ doubts, languages, files }: Survey): readonly Finding[] {
  const base = { area: 'workspace', subject: 'workspace' } as const;
  const faults = doubts.map(
    ({ detail }): Finding => ({
      ...base,
      level: 'error',
      text: detail,
      details: ['Work in the folder of one project, or add folders to `exclude` in your configuration.'],
      next_step: 'lspan doctor --workspace DIR',
    }),
  );
  if (faults.length > 0 || languages.length > 0) return faults;
  const text = `no file of a language that lspan knows (${files} files)`;
  const details = ['Another language needs a server of yours: see docs/configuration.md.'];
  return [{ ...base, level: 'warning', text, details, next_step: 'lspan config' }];
}

/** A notice of the status: about configuration that has no effect, trust that is ignored, or a missing sandbox. */
export function judgeNotice(notice: string): Finding {
  const isSandbox = notice.includes('unconfined');
  const isMissing = notice.includes('bubblewrap is not installed');
  return {
    area: 'configuration',
    subject: isSandbox ? 'sandbox' : 'notice',
    level: 'warning',
    text: notice,
    ...(isMissing
      ? { next_step: 'sudo apt install bubblewrap' }
      : isSandbox
        ? {}
        : { next_step: 'lspan config' }),
  };
}

function languagesOf({ languages }: Survey, { servers }: ExaminedServers) {
  const names = [...new Set(languages.map(({ language }) => language))];
  return names.map((language) => {
    const own = languages.filter((one) => one.language === language);
    const asked = servers.filter((server) => server.languages.includes(language));
    return {
      language,
      files: own.reduce((sum, one) => sum + one.files, 0),
      servers: [...new Set(asked.map(({ id }) => id))],
    };
  });
}
