import { z } from 'zod';
import { type FileProblems, severities, type WorkspaceProblems } from '../../core/problems.ts';
import type { ToolContext } from '../run/tool.ts';
import { counts, diagnostic, keepWorst } from '../show/diagnostic.ts';

const file = z.object({
  file_path: z.string(),
  state: z.enum(['fresh', 'pending', 'stale', 'unavailable']),
  problems: z.int(),
  /** Present if a server reported the file in addition to one that was asked about. */
  related: z.literal(true).optional(),
  /** Servers that are not known to have checked the current text. */
  unheard: z.array(z.string()).optional(),
});

/** The problems of an answer: all of them, or those introduced and fixed since an earlier answer. */
export const diagnosticsData = z.object({
  scope: z.enum(['files', 'workspace']),
  min_severity: z.enum(severities),
  checked: z.int(),
  /** The number of files with problems. */
  affected: z.int(),
  /** Files that are still to be checked: the next call goes on with them. */
  unchecked: z.int().optional(),
  /** Files of no project, which are checked only if they are named. */
  outside_projects: z.int().optional(),
  /** Imported packages that were not found, the most frequent first. */
  missing_packages: z.array(z.string()).optional(),
  missing_packages_count: z.int().optional(),
  /** The files that were named; for the workspace, those with problems or in doubt. */
  files: z.array(file),
  /** Counts the diagnostics, or what was introduced, shown or not. */
  counts,
  /** All problems; in a comparison, those of files that could not be compared. */
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

/** Summarizes which files were checked, how certain that is, and how many problems each has. */
export function toOverview(
  { workspace }: ToolContext,
  { scope, min_severity }: Pick<DiagnosticsData, 'scope' | 'min_severity'>,
  { files, unchecked, outside }: WorkspaceProblems,
  found: ReadonlyMap<string, number>,
): Omit<DiagnosticsData, 'counts'> {
  const isListed = ({ path, state }: FileProblems) =>
    scope === 'files' || found.has(path) || state !== 'fresh';
  const asked = files.filter(({ related }) => related !== true);
  return {
    scope,
    min_severity,
    checked: asked.length,
    affected: asked.filter(({ path }) => found.has(path)).length,
    ...(unchecked === undefined ? {} : { unchecked }),
    ...(outside === undefined ? {} : { outside_projects: outside }),
    files: files.filter(isListed).map(({ path, state, related, unheard }) => ({
      file_path: workspace.show(path),
      state,
      problems: found.get(path) ?? 0,
      ...(related ? { related } : {}),
      ...(unheard.length > 0 ? { unheard: [...unheard] } : {}),
    })),
  };
}

/** Selects the files of a page: as many as fit for the first, those of its problems for a later one of the workspace. */
export function withFilesOfPage({ page }: ToolContext, data: DiagnosticsData, from: number): DiagnosticsData {
  if (from === 0 || data.scope === 'files') return { ...data, files: data.files.slice(0, page) };
  return { ...data, files: filesOf(data, data) };
}

/** Cuts to `keep` problems: hints go before errors, and fixed problems before introduced ones. */
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
