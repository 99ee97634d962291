import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { makeOffer } from '../../src/frontends/mcp/offer.ts';
import { catalogue } from '../../src/surfaces/catalogue.ts';

/** What a model sees of lspan changes only in a reviewed difference of these files. */
describe('what the model sees', () => {
  for (const surface of catalogue) {
    it(`SUP-13 the surface ${surface.name} is the one that was reviewed`, () => {
      const file = path.join(import.meta.dirname, `${surface.name}.json`);
      const present = `${JSON.stringify(surface, null, 2)}\n`;
      if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, present);
      expect(present).toBe(readFileSync(file, 'utf8'));
    });
  }

  it('the default list with the instructions costs at most 3,000 tokens', () => {
    const [surface] = catalogue;
    if (!surface) throw new Error('no surface');
    const { tools, identity } = makeOffer(surface, { toolsets: [], readOnly: false, output: 'auto' });
    expect(encode(JSON.stringify(tools) + identity.instructions).length).toBeLessThanOrEqual(3_000);
  });

  it('the instructions have at most 100 words, and nothing anywhere hides a character', () => {
    for (const { instructions } of catalogue)
      expect(instructions.split(/\s+/).length).toBeLessThanOrEqual(100);
    expect(JSON.stringify(catalogue)).toMatch(/^[\x20-\x7e]*$/);
  });

  it('SUP-14 every tool has a title, true annotations and a schema that refuses unknown fields', () => {
    for (const { title, annotations, effects, inputSchema } of catalogue.flatMap(({ tools }) => tools)) {
      expect(title).not.toBe('');
      expect(annotations.readOnlyHint).toBe(effects === 'none');
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });
});
