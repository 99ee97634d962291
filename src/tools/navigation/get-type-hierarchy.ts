import { z } from 'zod';
import { withinPart } from '../../core/call.ts';
import { limits } from '../../core/limits.ts';
import type { Place } from '../../core/question.ts';
import { defineTool } from '../run/define-tool.ts';
import { paging } from '../run/paging-fields.ts';
import { target } from '../target/target-fields.ts';
import { buildHierarchies } from './build-hierarchy.ts';
import { depth, hierarchyLine, hierarchyRoot, linePages, toRoots } from './hierarchy.ts';
import { renderHierarchy } from './render-hierarchy.ts';

/** Shows the supertypes and the subtypes of a type. */
export const getTypeHierarchy = defineTool({
  name: 'get_type_hierarchy',
  title: 'Type hierarchy',
  toolset: 'navigation',
  listed: false,
  description: 'Supertypes and subtypes of a type, as a tree.',
  input: z.strictObject({
    ...target,
    direction: z.enum(['supertypes', 'subtypes', 'both']).default('both'),
    depth,
    ...paging,
  }),
  output: z.object({ roots: z.array(hierarchyRoot), types: z.array(hierarchyLine) }),
  effects: 'none',
  instead: 'find_implementations lists subtypes, find_definition shows the supertypes.',
  async answer(context, { direction: wanted, depth, ...target }, call) {
    const hierarchy = {
      directions: wanted === 'both' ? (['supertypes', 'subtypes'] as const) : [wanted],
      searches: 'subtypes' as const,
      what: 'related types',
      bearer: 'type',
      ask: (place: Place, direction: 'supertypes' | 'subtypes') =>
        withinPart(call, { share: limits.shares.servers }, (part) =>
          context.backend.ask({ kind: 'types', place, direction, depth }, part),
        ),
    };
    const { trees, ...findings } = await buildHierarchies(context, target, hierarchy, call);
    const roots = await toRoots(context, trees);
    const pages = linePages(context, trees, (types) => ({ roots, types }));
    return { ...findings, pages, total: pages.length };
  },
  render: ({ roots, types }) => renderHierarchy(roots, types, wordings),
  count: ({ types }) => types.length,
  cut: ({ roots, types }, keep) => ({ roots, types: types.slice(0, keep) }),
});

const wordings = {
  supertypes: { noun: 'supertype', link: 'of' },
  subtypes: { noun: 'subtype', link: 'of' },
};
