import type { Bridge } from '../../bridge.ts';
import type { ServerStatus } from '../../core/backend.ts';
import { limits } from '../../core/limits.ts';
import { inParallel } from '../../core/runtime/in-parallel.ts';
import { list } from '../../core/runtime/json.ts';
import type { Survey, SurveyedLanguage } from '../../offline.ts';
import { packageVersion } from '../../platform/files/package-version.ts';
import { judgeServer } from './judge-server.ts';
import { type ProbeTarget, probeServer } from './probe-server.ts';
import type { ExaminedServer, Finding, Probe } from './report.ts';

/** How servers are examined. */
export interface ServerExamination {
  readonly signal: AbortSignal;
  /** Tells a user what is waited for. */
  readonly progress: (text: string) => void;
  /** Milliseconds for the probe of one server. */
  readonly probeTime: number;
}

/** The servers of a workspace, with what was found. */
export interface ExaminedServers {
  readonly servers: readonly ExaminedServer[];
  readonly findings: readonly Finding[];
  /** Notices about the set-up that the status shows. */
  readonly notices: readonly string[];
}

/** A server that is asked about files of the workspace. */
interface Chosen {
  readonly status: ServerStatus;
  readonly languages: readonly SurveyedLanguage[];
  readonly files: number;
  readonly isLinter: boolean;
}

/** Probes every server that an agent's calls would ask, a few at once; one that hangs does not keep the others. */
export async function examineServers(
  bridge: Bridge,
  survey: Survey,
  options: ServerExamination,
): Promise<ExaminedServers> {
  // The first call waits until the files of the workspace are known.
  const told = await bridge.call('get_server_status', {}, { signal: options.signal, surface: 'lspan' });
  const chosen = chosenServers(await statusesOf(bridge, survey), survey);
  const examined = new Map<Chosen, { readonly server: ExaminedServer; readonly finding: Finding }>();
  await inParallel(chosen, limits.doctor.atOnce, async (one) => {
    const probed = isStartable(one.status) ? await probe(bridge, one, options) : undefined;
    // At once, since it may be stopped to make room for the next.
    const now = probed ? await statusesOf(bridge, survey) : [];
    const status = now.find(({ id, root }) => id === one.status.id && root === one.status.root) ?? one.status;
    const server = toExamined({ ...one, status }, survey, probed);
    const isNeeded = needs(one, chosen, survey);
    examined.set(one, { server, finding: judgeServer({ server, status, isNeeded }) });
  });
  const ordered = chosen.flatMap((one) => examined.get(one) ?? []);
  return {
    servers: ordered.map(({ server }) => server),
    findings: ordered.map(({ finding }) => finding),
    notices: list(told.data.notices).map(String),
  };
}

function isStartable({ state }: ServerStatus): boolean {
  return state !== 'not_installed' && state !== 'not_trusted';
}

async function statusesOf(bridge: Bridge, { roots }: Survey): Promise<readonly ServerStatus[]> {
  const byRoot = (await bridge.serversByRoot?.()) ?? [];
  return byRoot.filter(({ root }) => roots.includes(root)).flatMap(({ servers }) => servers);
}

/** Leaves out servers that another one replaces; those that know symbols and have the most files come first. */
function chosenServers(statuses: readonly ServerStatus[], survey: Survey): readonly Chosen[] {
  return statuses
    .filter(({ spare, standbyFor }) => !spare && standbyFor === undefined)
    .map((status) => {
      const languages = survey.languages.filter(
        ({ language, root }) => root === status.root && status.languages.includes(language),
      );
      const { answers } = factsOf(survey, status) ?? {};
      const isLinter = answers?.some((one) => one === 'definition' || one === 'outline') === false;
      const files = languages.reduce((sum, language) => sum + language.files, 0);
      return { status, languages, files, isLinter };
    })
    .filter(({ files }) => files > 0)
    .sort((a, b) => Number(a.isLinter) - Number(b.isLinter) || b.files - a.files);
}

function factsOf({ servers }: Survey, { id, root }: ServerStatus) {
  return servers.find((one) => one.id === id && one.root === root);
}

async function probe(
  bridge: Bridge,
  { status, languages, isLinter }: Chosen,
  { signal, progress, probeTime }: ServerExamination,
): Promise<Probe> {
  const { id: server, root } = status;
  const samples = languages.flatMap((language) => language.samples).slice(0, limits.doctor.samples);
  const target: ProbeTarget = { server, root, samples, isLinter };
  const report = (message: string) => progress(`${server}: ${message}`);
  progress(`${server}: starting`);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(probeTime)]);
  return probeServer(bridge, target, { signal: bounded, report });
}

function toExamined(
  { status, languages, files }: Chosen,
  survey: Survey,
  probed: Probe | undefined,
): ExaminedServer {
  const { id, root, state, command, origin, memoryBytes } = status;
  const version = status.version ?? (command === undefined ? undefined : packageVersion(command));
  return {
    ...{ id, root, languages: languages.map(({ language }) => language), files, state },
    ...(command === undefined ? {} : { command }),
    ...(origin === undefined ? {} : { origin }),
    ...(version === undefined ? {} : { version }),
    trust: factsOf(survey, status)?.trust ?? 'not_needed',
    confined: status.confined === true,
    ...(memoryBytes === undefined ? {} : { memory_mb: Math.round(memoryBytes / 1024 ** 2) }),
    ...(probed ? { probe: probed } : {}),
  };
}

/** True if a main language of the workspace has no other server that knows its symbols. */
function needs(one: Chosen, all: readonly Chosen[], { languages }: Survey): boolean {
  if (one.isLinter) return false;
  const isCode = languages.some(({ isBeside }) => !isBeside);
  const files = languages
    .filter(({ isBeside }) => !isCode || !isBeside)
    .reduce((sum, language) => sum + language.files, 0);
  return one.languages.some(({ language, root, files: own, isBeside }) => {
    const isMain = own >= files * limits.doctor.share && !(isCode && isBeside);
    const others = all.filter(
      ({ status, languages: served, isLinter }) =>
        status !== one.status &&
        !isLinter &&
        isStartable(status) &&
        served.some((each) => each.language === language && each.root === root),
    );
    return isMain && others.length === 0;
  });
}
