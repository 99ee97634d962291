import { describe, expect, it } from 'vitest';
import { DocTests } from '../../src/source-text/doc-tests.ts';

/** Returns whether the mark `HERE` of a text is in a sample that is run. */
function isRun(file: string, text: string): boolean {
  return new DocTests(file, text).has(text.indexOf('HERE'));
}

describe('samples of documentation that are run', () => {
  it.each([
    ['in a block', '/// ```\n/// use HERE;\n/// ```\n'],
    ['of a module', '//! Text.\n//!\n//! ```rust,no_run\n//! # HERE();\n'],
    ['indented, with the fence of tildes', '    /// ~~~\n    /// HERE\n    /// ~~~\n'],
    ['after another block', '/// ```text\n/// a\n/// ```\n/// ```should_panic\n/// HERE\n'],
    ['under more backquotes', '/// ````\n/// ```\n/// HERE\n/// ````\n'],
    ['of Windows', '/// ```\r\n/// HERE\r\n/// ```\r\n'],
  ])('of Rust: %s', (_, text) => {
    expect(isRun('src/lib.rs', text)).toBe(true);
  });

  it.each([
    ['in prose', '/// Like [`HERE`].\n'],
    ['after the block', '/// ```\n/// a\n/// ```\n/// HERE\n'],
    ['in a block that is ignored', '/// ```ignore\n/// HERE\n/// ```\n'],
    ['in a block of another language', '/// ```json\n/// HERE\n/// ```\n'],
    ['in a block above another comment', '/// ```\nfn a() {}\n/// HERE\n'],
    ['in a comment that is no documentation', '// ```\n// HERE\n'],
    ['in a line of slashes', '/// ```\n//// HERE\n'],
    ['in code', '/// ```\n/// ```\nfn HERE() {}\n'],
  ])('not of Rust: %s', (_, text) => {
    expect(isRun('src/lib.rs', text)).toBe(false);
  });

  it.each([
    ['a.py', '"""\n    >>> HERE(1)\n    2\n"""\n', true],
    ['a.py', '"""\n    >>> for one in all:\n    ...     HERE(one)\n"""\n', true],
    ['a.py', '"""\n    >>> a(1)\n    HERE\n"""\n', false],
    ['a.ts', '// >>> HERE\n', false],
    ['a.ex', '@doc """\n  iex> HERE(1)\n"""\n', true],
    ['a.ex', '@doc """\n  iex(2)> HERE(1)\n"""\n', true],
    ['A.hs', '-- >>> HERE 1\n', true],
    ['A.hs', '-- HERE 1\n', false],
  ])('of %s: %j', (file, text, expected) => {
    expect(isRun(file, text)).toBe(expected);
  });
});

it('hostile documentation is read in linear time', () => {
  const texts = [
    `/// ${'HERE '.repeat(200_000)}`,
    `/// \`\`\`\n${'/// HERE\n'.repeat(100_000)}`,
    `/// ${' '.repeat(500_000)}\`\`\`\n`,
    '///\n'.repeat(200_000),
  ];
  for (const text of texts) {
    const tests = new DocTests('a.rs', text);
    const found = Array.from({ length: 100_000 }, (_, index) => tests.has(index));
    expect(found).toHaveLength(100_000);
  }
});
