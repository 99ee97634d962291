import { z } from 'zod';
import type { Doubt } from '../core/doubts.ts';
import { LspanError } from '../core/errors.ts';
import { type FileProblems, type Problem, type Severity, severities } from '../core/problems.ts';
import { type Location, location, toPlainLocations } from './location.ts';
import { plural } from './render-locations.ts';
import { filePath, maxTokens } from './target.ts';
import { defineTool, type World } from './tool.ts';

const diagnostic = location.omit({ in: true }).extend({
  severity: z.enum(severities),
  message: z.string(),
  code: z.string().optional(),
  source: z.string().optional(),
});

type Diagnostic = z.output<typeof diagnostic>;

const file = z.object({
  file_path: z.string(),
  state: z.enum(['fresh', 'pending', 'stale', 'unavailable']),
  problems: z.int(),
});

type FileState = z.output<typeof file>;

/** The problems that the language servers see. */
export const getDiagnostics = defineTool({
  name: 'get_diagnostics',
  title: 'Problems',
  toolset: 'quality',
  listed: true,
  description:
    'Errors and warnings in the present text of files, fresh after every edit. Without a path: all files that the servers have looked at.',
  input: z.strictObject({
    file_path: filePath.optional(),
    file_paths: z.array(filePath).min(1).max(100).optional(),
    min_severity: z.enum(severities).default('hint'),
    max_tokens: maxTokens,
  }),
  output: z.object({ files: z.array(file), diagnostics: z.array(diagnostic) }),
  effects: 'none',
  async answer(world, input, call) {
    const paths = await pathsOf(world, input);
    const { answer, doubts } = await world.backend.diagnostics(paths, call);
    const spoken = answer.map((one) => atLeast(input.min_severity, one));
    const all = spoken.flatMap(({ path, problems }) => problems.map((problem) => ({ path, problem })));
    const page = all.slice(0, world.page);
    const spans = page.map(({ path, problem: { range } }) => ({ path, range, standing }));
    const locations = await toPlainLocations(world, spans);
    const diagnostics = page.flatMap(({ problem }, index) => toDiagnostic(locations[index], problem));
    const files = spoken.map(({ path, state, problems }) => ({
      file_path: world.workspace.show(path),
      state,
      problems: problems.length,
    }));
    const named = input.file_path !== undefined || input.file_paths !== undefined;
    const unsure = [
      ...(named ? [] : [onlySeen(spoken.length)]),
      ...spoken.flatMap((one) => doubtOf(world, one)),
    ];
    return { data: { files, diagnostics }, total: all.length, doubts: [...doubts, ...unsure] };
  },
  render: renderDiagnostics,
  count: ({ diagnostics }) => diagnostics.length,
  cut: ({ files, diagnostics }, keep) => ({ files, diagnostics: diagnostics.slice(0, keep) }),
});

type Input = { readonly file_path?: string | undefined; readonly file_paths?: readonly string[] | undefined };

/** The files that are meant, alphabetically. */
async function pathsOf(world: World, { file_path, file_paths }: Input): Promise<readonly string[]> {
  if (file_path !== undefined && file_paths !== undefined) {
    throw new LspanError('invalid_input', 'Give either `file_path` or `file_paths`.');
  }
  const given = file_paths ?? (file_path === undefined ? undefined : [file_path]);
  if (given === undefined) return world.backend.knownFiles();
  const resolved = await Promise.all(given.map((path) => world.workspace.resolve(path)));
  return [...new Set(resolved)].sort();
}

function atLeast(severity: Severity, { path, state, problems }: FileProblems): FileProblems {
  const wanted = severities.slice(0, severities.indexOf(severity) + 1);
  return { path, state, problems: problems.filter((problem) => wanted.includes(problem.severity)) };
}

function toDiagnostic(location: Location | undefined, problem: Problem): Diagnostic[] {
  const { severity, message, code, source } = problem;
  if (!location) return [];
  return [{ ...location, severity, message, ...(code ? { code } : {}), ...(source ? { source } : {}) }];
}

/** Problems are asked of files that were resolved inside the workspace. */
const standing = 'inside' as const;

/** The servers were asked about the files that they have looked at, which are seldom all. */
function onlySeen(count: number): Doubt {
  const detail =
    count === 0
      ? 'No file was checked, since none was looked at yet: name the files to check.'
      : `Only files that were looked at before (${count}) were checked: name others to check them.`;
  return { kind: 'project_not_loaded', detail };
}

/** What is not known about a file: nobody may read silence as "no problems". */
function doubtOf(world: World, { path, state }: FileProblems): Doubt[] {
  const shown = world.workspace.show(path);
  if (state === 'fresh') return [];
  if (state === 'unavailable')
    return [{ kind: 'server_unavailable', detail: `No server could check ${shown}.` }];
  return [{ kind: 'indexing', detail: `Not every server has spoken about the present text of ${shown}.` }];
}

function renderDiagnostics(
  { files, diagnostics }: { files: readonly FileState[]; diagnostics: readonly Diagnostic[] },
  total: number,
): string {
  if (files.length === 0) return 'No file was checked.';
  const checked = files.length === 1 ? (files[0]?.file_path ?? '') : plural('file', files.length);
  const fresh = files.every(({ state }) => state === 'fresh');
  if (total === 0)
    return fresh ? `No problems in ${checked}.` : `No problems are known in ${checked} so far.`;
  const paths = [...new Set(diagnostics.map(({ file_path }) => file_path))];
  const blocks = paths.map((path) => [
    path,
    ...diagnostics.filter((one) => one.file_path === path).map(renderOne),
  ]);
  return [`${plural('problem', total)} in ${checked}`, ...blocks.flat()].join('\n');
}

function renderOne({ line, character, severity, message, code, source, text }: Diagnostic): string {
  const origin = [source, code].filter((part) => part !== undefined).join(' ');
  const told = `  ${line}:${character}  ${severity}: ${message.replaceAll('\n', '\n      ')}${origin ? ` (${origin})` : ''}`;
  return text ? `${told}\n      | ${text}` : told;
}
