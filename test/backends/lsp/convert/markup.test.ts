import { describe, expect, it } from 'vitest';
import { inertMarkup } from '../../../../src/backends/lsp/convert/markup.ts';

const active = '<img src=x onerror=alert(1)>';
const inert = '&lt;img src=x onerror=alert(1)>';

describe('an element that could run something', () => {
  it('is shown as it is in a fence, where it is code', () => {
    const code = 'A field.\n```tsx\nconst x = <Input value={1} onChange={f} />;\n```\nDone.';
    expect(inertMarkup(code)).toBe(code);
  });

  it('is made inert before and behind a fence', () => {
    expect(inertMarkup(`\`\`\`ts\n${active}\n\`\`\`\n${active}`)).toBe(
      `\`\`\`ts\n${active}\n\`\`\`\n${inert}`,
    );
    expect(inertMarkup(`${active}\n\`\`\`ts\n${active}\n\`\`\``)).toBe(
      `${inert}\n\`\`\`ts\n${inert}\n\`\`\``,
    );
  });

  it.each([
    ['that is not closed', `\`\`\`ts\n${active}`],
    ['in a comment', `<!--\n\`\`\`\n-->${active}\n\`\`\``],
    ['in an element', `<div>\n\`\`\`\n${active}\n\`\`\``],
    ['in another fence', `~~~\n\`\`\`\n~~~\n${active}\n\`\`\``],
    ['that is indented', `- x\n  \`\`\`\n${active}\n  \`\`\``],
    ['in a quotation', `> \`\`\`\n${active}\n> \`\`\``],
    ['whose end is longer than its beginning is', `\`\`\`\`\n\`\`\`\n\`\`\`\`\n${active}\n\`\`\``],
    ['with code in its first line', `\`\`\`a\`b\n${active}\n\`\`\``],
    ['whose end is no end', `\`\`\`\nx\n\`\`\` y\n\`\`\`\n${active}`],
  ])('is made inert near a fence %s', (_, markdown) => {
    const shown = inertMarkup(markdown);
    expect(shown).toContain(inert);
    expect(shown).not.toContain(active);
  });
});
