import { groupBy } from '../../core/runtime/group-by.ts';
import type { Location } from '../show/location.ts';
import { clampedMark, plural } from '../show/render-location.ts';
import type { HierarchyLine, HierarchyRoot } from './hierarchy.ts';

/** How one direction is told. */
export interface Wording {
  /** What stands below a root: `caller`. */
  readonly noun: string;
  /** `callers of` a root. */
  readonly link: string;
  /** What stands before the place of a call that is in the file of the line above. */
  readonly above?: string;
}

/** Trees as text: each root with what was found, and below it a line for each symbol, deeper ones further right. */
export function renderHierarchy(
  roots: readonly HierarchyRoot[],
  lines: readonly HierarchyLine[],
  wordings: Readonly<Record<string, Wording>>,
): string {
  const trees = groupBy(lines, ({ root = 0, direction }) => `${root}:${direction}`);
  return roots
    .flatMap((root, index) =>
      Object.entries(root.found).flatMap(([direction, count]) => {
        const wording = wordings[direction];
        const own = trees.get(`${index}:${direction}`) ?? [];
        // What is not on this page is not told to be nothing.
        if (!wording || (own.length === 0 && count > 0)) return [];
        return [heading(root, count, wording), ...own.flatMap((line) => renderLine(line, wording))];
      }),
    )
    .join('\n');
}

function heading(root: HierarchyRoot, count: number, { noun, link }: Wording): string {
  return `${count === 0 ? `No ${noun}s` : plural(noun, count)} ${link} ${symbolAt(root)}`;
}

function symbolAt(symbol: Pick<HierarchyLine, 'name' | 'kind' | 'external' | 'clamped'> & Location): string {
  const { name, kind, file_path, line, character, external, clamped } = symbol;
  const marks = [external ? `[external ${external}]` : '', clamped ? clampedMark : ''];
  // What is called at the top of a file is called by the file, which some servers name by its path.
  const called = name === file_path ? kind : `${kind} ${name}`;
  return [called, `${file_path}:${line}:${character}`, ...marks].filter(Boolean).join(' ');
}

function renderLine(line: HierarchyLine, { above }: Wording): string[] {
  const indent = '  '.repeat(line.depth);
  const mark = line.cut === undefined ? '' : ` ${cuts[line.cut]}`;
  // A call shows what it is; without one the line of the declaration does.
  const code = line.sites || line.text === undefined ? '' : ` ${line.text}`;
  const more =
    line.more_sites === undefined ? [] : [`${indent}  and ${plural('more call', line.more_sites)}`];
  const below = (line.below ?? []).map((one, level) => `${'  '.repeat(level + 1)}… below ${one}`);
  return [...below, `${indent}${symbolAt(line)}${code}${mark}`, ...renderSites(line, indent, above), ...more];
}

/** Calls on one line of code are one line of text. */
function renderSites({ sites = [] }: HierarchyLine, indent: string, above = ''): string[] {
  return [...groupBy(sites, ({ file_path, line }) => `${line}:${file_path}`).values()].map((calls) => {
    const places = calls.map(({ line, character }) => `${line}:${character}`).join(', ');
    const code = calls[0]?.text === undefined ? '' : ` ${calls[0].text}`;
    return `${indent}  ${above}${places}${code}`;
  });
}

const cuts: Readonly<Record<NonNullable<HierarchyLine['cut']>, string>> = {
  cycle: '[recursive: stands above]',
  repeated: '[see where it stands first]',
  many: '[not all below: too many]',
  late: '[not looked below: took too long]',
  failed: '[not looked below: the server failed]',
};
