import { z } from 'zod';
import { withinPart } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Place } from '../../core/question.ts';
import { defineTool } from '../run/define-tool.ts';
import { paging } from '../run/paging-fields.ts';
import { target } from '../target/target-fields.ts';
import { buildHierarchies } from './build-hierarchy.ts';
import { withHiddenCalls } from './hidden-calls.ts';
import { depth, hierarchyLine, hierarchyRoot, linePages, toRoots } from './hierarchy.ts';
import { renderHierarchy } from './render-hierarchy.ts';
import { unreportedCalls } from './unreported-calls.ts';

/** Shows the callers of a function, and what it calls. */
export const getCallHierarchy = defineTool({
  name: 'get_call_hierarchy',
  title: 'Call hierarchy',
  toolset: 'navigation',
  listed: true,
  description: 'Callers or callees of a function, as a tree with each call.',
  input: z.strictObject({
    ...target,
    direction: z.enum(['incoming', 'outgoing', 'both']).default('incoming'),
    depth,
    ...paging,
  }),
  output: z.object({ roots: z.array(hierarchyRoot), calls: z.array(hierarchyLine) }),
  effects: 'none',
  instead:
    "find_references lists every use, including calls, and what encloses it; the callees are in the function's text.",
  async answer(context, { direction: wanted, depth, ...target }, call) {
    const hierarchy = {
      directions: wanted === 'both' ? (['incoming', 'outgoing'] as const) : [wanted],
      searches: 'incoming' as const,
      what: 'calls',
      bearer: 'function or method',
      ask: (place: Place, direction: 'incoming' | 'outgoing') =>
        withinPart(call, { share: limits.shares.servers }, async (part) => {
          const reply = await context.backend.ask({ kind: 'calls', place, direction, depth }, part);
          return direction === 'outgoing' ? withHiddenCalls(context, reply, depth, part) : reply;
        }),
      missed: (places: readonly Place[], name: string | undefined) =>
        unreportedCalls(context, { places, name, depth }, call),
      comparesAll: wanted === 'incoming' && depth === 1,
    };
    const { trees, ...findings } = await buildHierarchies(context, target, hierarchy, call);
    const roots = await toRoots(context, trees);
    const pages = linePages(context, trees, (calls) => ({ roots, calls }));
    return { ...findings, pages, total: pages.length };
  },
  render: ({ roots, calls }) => renderHierarchy(roots, calls, wordings),
  count: ({ calls }) => calls.length,
  cut: ({ roots, calls }, keep) => ({ roots, calls: calls.slice(0, keep) }),
});

const wordings = {
  incoming: { noun: 'caller', link: 'of' },
  outgoing: { noun: 'call', link: 'in', above: 'called at ' },
};
