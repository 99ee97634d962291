import { type Json, number, object } from '../../../core/runtime/json.ts';
import { positionParams } from '../convert/translation.ts';
import { followed, isLate, sizeOfTree } from './hierarchy-tree.ts';
import { type EntryShape, readHierarchy } from './read-hierarchy.ts';
import type { Row } from './row.ts';
import { walkHierarchy } from './walk-hierarchy.ts';

/** Call hierarchy: prepares the items at the place, then asks for callers or callees, level by level. */
export const callHierarchyRow: Row<'calls'> = {
  method: 'textDocument/prepareCallHierarchy',
  capability: 'callHierarchyProvider',
  search: {
    applies: ({ direction }) => direction === 'incoming',
    byUses: true,
    from: ({ place }) => place,
    found: followed,
  },
  path: ({ place }) => place.path,
  params: ({ place }, translation) => positionParams(place, translation),
  answer: async (raw, { direction, depth }, translation, { send, end }) => {
    const roots = await readHierarchy(raw, { noun: 'functions', item: (entry) => entry }, translation);
    const asked = new Set(roots.steps.map(({ handle }) => handle));
    const below = async (item: Json) => {
      if (!asked.has(item) && containers.includes(number(item.kind) ?? 0)) return nothing;
      const found = await send({ item }, `callHierarchy/${direction}Calls`);
      return readHierarchy(found, shapes[direction](item), translation);
    };
    return walkHierarchy(roots.steps, { depth, below, end });
  },
  isLate,
  count: (roots, { direction }) => sizeOfTree(roots, direction === 'incoming'),
};

/** File, module, namespace, package: callers at the top of a file. Asking for their callers crashes gopls. */
const containers: readonly number[] = [1, 2, 3, 4];

const nothing = { steps: [], isCut: false };

/** Call sites are in the caller's document: for incoming calls the item below, else the item above. */
const shapes: Readonly<Record<'incoming' | 'outgoing', (above: Json) => EntryShape>> = {
  incoming: () => ({
    noun: 'callers',
    item: (entry) => object(entry).from,
    sitesIn: ({ uri }) => uri,
  }),
  outgoing: (above) => ({
    noun: 'calls',
    item: (entry) => object(entry).to,
    sitesIn: () => above.uri,
  }),
};
