import type { Reply } from '../../core/backend.ts';
import type { Doubt } from '../../core/doubts.ts';
import type { Span } from '../../core/question.ts';
import type { ToolContext } from '../run/tool.ts';
import { ImportFollower } from './import-follower.ts';

/**
 * Replaces definitions that are mere imports, since the server could not follow them, by what they lead to in the sources
 * of the workspace, and puts the source before a definition in a file that is built from it.
 */
export async function followImports(
  context: ToolContext,
  definitions: readonly Span[],
): Promise<Reply<readonly Span[]>> {
  const follower = new ImportFollower(context);
  const answer: Span[] = [];
  const doubts: Doubt[] = [];
  for (const definition of definitions) {
    const found = definition.standing === 'inside' ? await follower.follow(definition) : undefined;
    const sources = found?.sources ?? [];
    answer.push(...sources);
    if (sources.length === 0 || found?.isBuilt) answer.push(definition);
    if (found && sources.length === 0 && !found.isBuilt) doubts.push(notFollowed(found.module));
  }
  return { answer, doubts };
}

function notFollowed(module: string): Doubt {
  const detail = `${JSON.stringify(module)} cannot be resolved: this is the import, not the definition.`;
  return { kind: 'unverified', detail };
}
