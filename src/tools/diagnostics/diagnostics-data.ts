import { z } from 'zod';
import { type FileProblems, severities } from '../../core/problems.ts';
import type { ToolContext } from '../run/tool.ts';
import { counts, diagnostic, keepWorst } from '../show/diagnostic.ts';

const file = z.object({
  file_path: z.string(),
  state: z.enum(['fresh', 'pending', 'stale', 'unavailable']),
  problems: z.int(),
  /** A server told of it beside a file that was asked about. */
  related: z.literal(true).optional(),
  /** Servers that are not known to have checked the present text. */
  unheard: z.array(z.string()).optional(),
});

/** What is told of problems: all of them, or what was introduced and fixed since an earlier answer. */
export const diagnosticsData = z.object({
  scope: z.enum(['files', 'workspace']),
  min_severity: z.enum(severities),
  checked: z.int(),
  /** How many of the files have problems. */
  affected: z.int(),
  /** Those that were named; of the workspace those with problems, or not known for sure. */
  files: z.array(file),
  /** Of the diagnostics, or of what was introduced, whether shown or not. */
  counts,
  /** All, or beside what was introduced and fixed those of files that were not compared. */
  diagnostics: z.array(diagnostic).optional(),
  compared: z.int().optional(),
  introduced: z.array(diagnostic).optional(),
  fixed: z.array(diagnostic).optional(),
  fixed_count: z.int().optional(),
  unchanged: z.int().optional(),
  not_compared: z.array(z.string()).optional(),
  since: z.string().optional(),
});

export type DiagnosticsData = z.output<typeof diagnosticsData>;

/** Which files were checked, how far that can be believed, and how many problems each has. */
export function overview(
  { workspace }: ToolContext,
  { scope, min_severity }: Pick<DiagnosticsData, 'scope' | 'min_severity'>,
  files: readonly FileProblems[],
  found: ReadonlyMap<string, number>,
): Pick<DiagnosticsData, 'scope' | 'min_severity' | 'checked' | 'affected' | 'files'> {
  const isTelling = ({ path, state }: FileProblems) =>
    scope === 'files' || found.has(path) || state !== 'fresh';
  const asked = files.filter(({ related }) => related !== true);
  return {
    scope,
    min_severity,
    checked: asked.length,
    affected: asked.filter(({ path }) => found.has(path)).length,
    files: files.filter(isTelling).map(({ path, state, related, unheard }) => ({
      file_path: workspace.show(path),
      state,
      problems: found.get(path) ?? 0,
      ...(related ? { related } : {}),
      ...(unheard.length > 0 ? { unheard: [...unheard] } : {}),
    })),
  };
}

/** What a page tells: with the first come all files that fit, with a later one of the workspace those of its problems. */
export function onPage({ page }: ToolContext, data: DiagnosticsData, from: number): DiagnosticsData {
  if (from === 0 || data.scope === 'files') return { ...data, files: data.files.slice(0, page) };
  return { ...data, files: filesOf(data, data) };
}

/** As much as fits: errors are never cut behind hints, nor what was introduced behind what was fixed. */
export function cutDiagnostics(data: DiagnosticsData, keep: number): DiagnosticsData {
  const worst = (some: DiagnosticsData['fixed'], most: number) =>
    some && keepWorst(some, most, ({ severity }) => severity);
  const introduced = worst(data.introduced, keep);
  const fixed = worst(data.fixed, keep - (introduced?.length ?? 0));
  const diagnostics = worst(data.diagnostics, keep - (introduced?.length ?? 0) - (fixed?.length ?? 0));
  const kept = {
    ...(diagnostics ? { diagnostics } : {}),
    ...(introduced ? { introduced } : {}),
    ...(fixed ? { fixed } : {}),
  };
  return { ...data, files: data.scope === 'files' ? data.files : filesOf(data, kept), ...kept };
}

type Shown = Pick<DiagnosticsData, 'diagnostics' | 'introduced'>;

function filesOf({ files }: DiagnosticsData, { diagnostics = [], introduced = [] }: Shown) {
  const kept = new Set([...diagnostics, ...introduced].map(({ file_path }) => file_path));
  return files.filter(({ file_path }) => kept.has(file_path));
}
