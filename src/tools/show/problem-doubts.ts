import type { Doubt } from '../../core/doubts.ts';
import type { FileProblems } from '../../core/problems.ts';
import { groupBy } from '../../core/runtime/group-by.ts';
import type { ToolContext } from '../run/tool.ts';

/** What is not known about files, and whose word is missing: nobody may read silence as "no problems". */
export function problemDoubts(context: ToolContext, files: readonly FileProblems[]): Doubt[] {
  const asked = files.filter(({ related }) => related !== true);
  const shown = (some: readonly FileProblems[]) =>
    someOf(some.map(({ path }) => context.workspace.show(path)));
  const unchecked = asked.filter(({ state }) => state === 'unavailable');
  const missing: Doubt[] =
    unchecked.length === 0
      ? []
      : [{ kind: 'server_unavailable', detail: `No server could check ${shown(unchecked)}.` }];
  const words = asked.flatMap((file) => file.unheard.map((server) => ({ server, file })));
  const isMute = ({ server, file }: (typeof words)[number]) => file.mute?.includes(server) === true;
  const groups = groupBy(words, (word) => `${word.server}\0${word.file.state}\0${isMute(word)}`);
  const unheard = [...groups.values()].flatMap((group): Doubt[] => {
    const [first] = group;
    if (!first) return [];
    const text = shown(group.map(({ file }) => file));
    const lasting = isMute(first) ? { lasting: true as const } : {};
    return [{ kind: 'indexing', server: first.server, detail: unheardText(first, text), ...lasting }];
  });
  return [...missing, ...unheard];
}

function unheardText(
  { server, file: { state } }: { server: string; file: FileProblems },
  text: string,
): string {
  return state === 'stale'
    ? `${server} last spoke about an older text of ${text}.`
    : `${server} is not known to have checked the present text of ${text}.`;
}

/** `a, b, c and 4 others`. */
export function someOf(names: readonly string[]): string {
  const few = names.slice(0, 3);
  const others = names.length - few.length;
  return others === 0 ? few.join(', ') : `${few.join(', ')} and ${others} other${others === 1 ? '' : 's'}`;
}
