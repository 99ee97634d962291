import { expect, it } from 'vitest';
import { isCallable, makeOffer } from '../../../src/frontends/mcp/offer.ts';
import { catalogue } from '../../../src/surfaces/catalogue.ts';

it.each(catalogue.map((surface) => [surface.name, surface] as const))(
  'the tools for hooks are in no list of the surface %s, and can be called where it has them',
  (name, surface) => {
    const hookTools = name === 'lspan' ? ['after_edit'] : [];
    for (const toolsets of [[], ['all'], ['quality']]) {
      const offer = makeOffer(surface, { toolsets, readOnly: false, output: 'auto' });
      expect(offer.tools.map((tool) => tool.name)).not.toContain('after_edit');
      expect(offer.hookTools ?? []).toEqual(hookTools);
      expect(isCallable(offer, 'after_edit')).toBe(hookTools.length > 0);
    }
  },
);
