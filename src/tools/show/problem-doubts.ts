import type { Doubt } from '../../core/doubts.ts';
import type { FileProblems } from '../../core/problems.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import { nameSome } from '../../core/wording/name-some.ts';
import type { ToolContext } from '../run/tool.ts';

/** Returns which files were not checked, and by which server, so that silence is not taken for "no problems". */
export function problemDoubts(context: ToolContext, files: readonly FileProblems[]): Doubt[] {
  const asked = files.filter(({ related }) => related !== true);
  const shown = (some: readonly FileProblems[]) =>
    nameSome(some.map(({ path }) => context.workspace.show(path)));
  const unchecked = asked.filter(({ state }) => state === 'unavailable');
  const missing: Doubt[] =
    unchecked.length === 0
      ? []
      : [{ kind: 'server_unavailable', detail: `No server could check ${shown(unchecked)}.` }];
  const pairs = asked.flatMap((file) => file.unheard.map((server) => ({ server, file })));
  const isMute = ({ server, file }: (typeof pairs)[number]) => file.mute?.includes(server) === true;
  const groups = groupBy(pairs, (pair) => `${pair.server}\0${pair.file.state}\0${isMute(pair)}`);
  const unheard = [...groups.values()].flatMap((group): Doubt[] => {
    const [first] = group;
    if (!first) return [];
    const detail = renderUnheard(first, shown(group.map(({ file }) => file)));
    const lasting = isMute(first) ? { lasting: true as const } : {};
    return [{ kind: 'indexing', server: first.server, detail, ...lasting }];
  });
  return [...missing, ...unheard];
}

function renderUnheard({ server, file }: { server: string; file: FileProblems }, text: string): string {
  return file.state === 'stale'
    ? `${server} last checked an older text of ${text}.`
    : `${server} may not have checked the current text of ${text}.`;
}

/** Renders `a, b, c and 4 others`, of more names than are given if there are. */
export function renderSome(names: readonly string[], count = names.length): string {
  const few = names.slice(0, 3);
  const others = count - few.length;
  return others === 0 ? few.join(', ') : `${few.join(', ')} and ${others} other${others === 1 ? '' : 's'}`;
}
