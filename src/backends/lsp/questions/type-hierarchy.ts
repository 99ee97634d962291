import type { Json } from '../../../core/runtime/json.ts';
import { positionParams } from '../convert/translation.ts';
import { followed, isLate, sizeOfTree } from './hierarchy-tree.ts';
import { readHierarchy } from './read-hierarchy.ts';
import type { Row } from './row.ts';
import { walkHierarchy } from './walk-hierarchy.ts';

/** Type hierarchy: prepares the type at the place, then asks for supertypes or subtypes, level by level. */
export const typeHierarchyRow: Row<'types'> = {
  method: 'textDocument/prepareTypeHierarchy',
  capability: 'typeHierarchyProvider',
  search: {
    applies: ({ direction }) => direction === 'subtypes',
    byUses: true,
    from: ({ place }) => place,
    found: followed,
  },
  path: ({ place }) => place.path,
  params: ({ place }, translation) => positionParams(place, translation),
  answer: async (raw, { direction, depth }, translation, { send, end }) => {
    const roots = await readHierarchy(raw, shape, translation);
    const below = async (item: Json) =>
      readHierarchy(await send({ item }, `typeHierarchy/${direction}`), shape, translation);
    return walkHierarchy(roots.steps, { depth, below, end });
  },
  isLate,
  count: (roots, { direction }) => sizeOfTree(roots, direction === 'subtypes'),
};

const shape = { noun: 'types', item: (entry: unknown) => entry };
