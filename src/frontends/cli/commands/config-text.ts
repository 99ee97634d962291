import type { EffectiveValue } from '../../../config/effective-value.ts';
import type { ListedServer } from '../../../config/servers/list-servers.ts';
import { escapeControls } from '../../observe/log.ts';

/** Output of `lspan config --json`. */
export interface ConfigReport {
  readonly workspace: readonly string[];
  /** The rule that found it. */
  readonly workspace_from: string;
  readonly user_file: string | null;
  readonly values: readonly EffectiveValue[];
  readonly servers: readonly ListedServer[];
  readonly warnings: readonly string[];
}

/** Renders the report for people, in columns. */
export function configText(report: ConfigReport): string {
  const { workspace, workspace_from: why, user_file: file, values, servers, warnings } = report;
  const head = [
    ['Workspace', workspace.length === 0 ? `none: ${why}` : `${workspace.join(', ')} (by ${why})`],
    ['User file', file ?? 'none'],
  ];
  const lines = [
    ...columns(head),
    ...warnings.map((warning) => `! ${warning}`),
    '',
    ...columns(values.map(({ key, value, origins }) => [key, JSON.stringify(value), origins.join(', ')])),
    '',
    ...columns(servers.flatMap(serverRows)),
  ];
  return `${lines.map(escapeControls).join('\n')}\n`;
}

function serverRows({ id, state, command, problem, changes }: ListedServer): readonly (readonly string[])[] {
  const found = command?.map(quoted).join(' ') ?? problem ?? '';
  const set = changes.map(({ keys, origin }) => `${keys.join(', ')} set by ${origin}`);
  return [[id, state.replace('_', ' '), found], ...set.map((line) => ['', '', line])];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word);
}

/** Aligns the cells of rows; a very long cell does not widen its column. */
function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(Math.min(widths[at] ?? 0, maxWidth))))
      .join('  ')
      .trimEnd(),
  );
}

const maxWidth = 40;
