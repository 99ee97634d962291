import { groupBy } from '../../core/runtime/group-by.ts';
import type { Location } from '../show/location.ts';
import { clampedMark, plural } from '../show/render-location.ts';
import type { HierarchyLine, HierarchyRoot } from './hierarchy.ts';

/** How a direction is worded. */
interface Wording {
  /** The noun for what is below a root: `caller`. */
  readonly noun: string;
  /** The preposition between noun and root: `callers of`. */
  readonly link: string;
  /** The words before the place of a call that is in the file of the line above. */
  readonly above?: string;
}

/** Renders trees: a heading for each root, and below it a line for each symbol, indented by its depth. */
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
        // Symbols that are on another page must not be reported as none.
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
  // Code at the top of a file is called by the file, which some servers name by its path.
  const called = name === file_path ? kind : `${kind} ${name}`;
  return [called, `${file_path}:${line}:${character}`, ...marks].filter(Boolean).join(' ');
}

function renderLine(line: HierarchyLine, { above }: Wording): string[] {
  const indent = '  '.repeat(line.depth);
  const mark = line.cut === undefined ? '' : ` ${cuts[line.cut]}`;
  // A call shows its own code; without one, the line of the declaration is shown.
  const code = line.sites || line.text === undefined ? '' : ` ${line.text}`;
  const more =
    line.more_sites === undefined ? [] : [`${indent}  and ${plural('more call', line.more_sites)}`];
  const below = (line.below ?? []).map((one, level) => `${'  '.repeat(level + 1)}… below ${one}`);
  return [...below, `${indent}${symbolAt(line)}${code}${mark}`, ...renderSites(line, indent, above), ...more];
}

/** Renders calls on one line of code as one line of text. */
function renderSites({ sites = [] }: HierarchyLine, indent: string, above = ''): string[] {
  return [...groupBy(sites, ({ file_path, line }) => `${line}:${file_path}`).values()].map((calls) => {
    const places = calls.map(({ line, character }) => `${line}:${character}`).join(', ');
    const code = calls[0]?.text === undefined ? '' : ` ${calls[0].text}`;
    return `${indent}  ${above}${places}${code}`;
  });
}

const cuts: Readonly<Record<NonNullable<HierarchyLine['cut']>, string>> = {
  cycle: '[recursive: see above]',
  repeated: '[see first occurrence]',
  many: '[incomplete: too many]',
  late: '[not expanded: took too long]',
  failed: '[not expanded: the server failed]',
};
