import fc from 'fast-check';
import { describe, test } from 'vitest';
import { LspanError } from '../../../src/core/errors.ts';
import type { PositionEncoding } from '../../../src/core/position.ts';
import type { ProposedEdit } from '../../../src/core/proposal.ts';
import { makePlan } from '../../../src/edits/plan/make-plan.ts';
import { applyTextEdits } from '../../../src/edits/text/apply-text-edits.ts';
import { withSeed } from '../../with-seed.ts';
import { expectSame } from '../expect-same.ts';
import { inverseOf } from '../inverse-of.ts';
import { memoryTree } from '../memory-tree.ts';

const encodings = ['utf-8', 'utf-16', 'utf-32'] as const;
const characters = ['a', 'b', 'b', ' ', 'é', '漢', '😀', '\t', '\u2028'];
const endings = { LF: ['\n'], CRLF: ['\r\n'], CR: ['\r'], 'LF and CRLF': ['\n', '\r\n'] } as const;

/** A place of a text where an edit may begin or end, found by counting on one's fingers. */
interface Spot {
  readonly offset: number;
  readonly line: number;
  /** What of the line stands before it. */
  readonly before: string;
}

function spotsOf(text: string): Spot[] {
  const spots: Spot[] = [];
  let [offset, line, before] = [0, 0, ''];
  const units = text.match(/\r\n|./gsu) ?? [];
  for (const unit of units) {
    spots.push({ offset, line, before });
    offset += unit.length;
    const ends = ['\r\n', '\r', '\n'].includes(unit);
    [line, before] = ends ? [line + 1, ''] : [line, before + unit];
  }
  return [...spots, { offset, line, before }];
}

function column(before: string, encoding: PositionEncoding): number {
  if (encoding === 'utf-8') return Buffer.from(before).length;
  return encoding === 'utf-16' ? before.length : [...before].length;
}

interface Splice {
  readonly start: Spot;
  readonly end: Spot;
  readonly newText: string;
}

interface Case {
  readonly text: string;
  readonly splices: readonly Splice[];
  readonly encoding: PositionEncoding;
}

const inserted = fc
  .array(fc.constantFrom(...characters, '\n', '\n', '\r\n', '\r'), { maxLength: 5 })
  .map((parts) => parts.join(''));

function caseWith(kinds: readonly string[], texts: fc.Arbitrary<string> = inserted): fc.Arbitrary<Case> {
  const line = fc.array(fc.constantFrom(...characters), { maxLength: 4 }).map((parts) => parts.join(''));
  const lines = fc.array(fc.tuple(line, fc.constantFrom(...kinds)), { maxLength: 5 });
  return fc
    .record({
      lines,
      last: line,
      encoding: fc.constantFrom(...encodings),
      cuts: fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000), texts), { maxLength: 4 }),
    })
    .map(({ lines, last, encoding, cuts }) => {
      const text = lines.map((parts) => parts.join('')).join('') + last;
      return { text, encoding, splices: splicesOf(spotsOf(text), cuts) };
    });
}

/** Splices that do not overlap: their ends are spread over the spots in order. */
function splicesOf(spots: readonly Spot[], cuts: readonly (readonly [number, number, string])[]): Splice[] {
  const chosen = cuts.flatMap(([a, b]) => [a % spots.length, b % spots.length]).sort((a, b) => a - b);
  return cuts.flatMap(([, , newText], at) => {
    const [start, end] = [spots[chosen[2 * at] ?? 0], spots[chosen[2 * at + 1] ?? 0]];
    return start && end ? [{ start, end, newText }] : [];
  });
}

function proposed({ splices, encoding }: Case): ProposedEdit[] {
  const position = ({ line, before }: Spot) => ({ line, character: column(before, encoding) });
  return splices.map(({ start, end, newText }) => {
    return { range: { start: position(start), end: position(end) }, newText };
  });
}

/** The model: from the last to the first, cut out and put in. */
function naive(text: string, splices: readonly Splice[], eol: string | undefined): string {
  return splices.reduceRight((now, { start, end, newText }) => {
    const put = eol === undefined ? newText : newText.replace(/\r\n|\r|\n/g, eol);
    return now.slice(0, start.offset) + put + now.slice(end.offset);
  }, text);
}

function apply({ text, encoding }: Case, edits: readonly ProposedEdit[]): string {
  return applyTextEdits(text, edits, encoding, (line, wrong) => new LspanError('refused', `${line} ${wrong}`))
    .text;
}

describe('EDT-39 text edits', () => {
  for (const kind of ['LF', 'CRLF', 'CR'] as const)
    test(`have the same result as simple splicing in a file with ${kind}`, () => {
      const [eol] = endings[kind];
      fc.assert(
        fc.property(caseWith(endings[kind]), (given) => {
          const known = given.text.includes(eol) ? eol : undefined;
          expectSame(apply(given, proposed(given)), naive(given.text, given.splices, known));
        }),
        withSeed({ numRuns: 18_000 }),
      );
    });

  test('in a file of mixed endings leave every byte between them alone, and make the same lines', () => {
    fc.assert(
      fc.property(caseWith(endings['LF and CRLF']), (given) => {
        // A text of one line takes endings as they come, also in pieces.
        fc.pre(given.text.includes('\n'));
        const result = apply(given, proposed(given));
        const lines = (text: string) => text.split(/\r\n|\r|\n/);
        expectSame(lines(result), lines(naive(given.text, given.splices, '\n')));
        const first = given.splices[0]?.start.offset ?? given.text.length;
        const last = given.splices.at(-1)?.end.offset ?? 0;
        expectSame(result.startsWith(given.text.slice(0, first)), true);
        expectSame(result.endsWith(given.text.slice(last)), true);
        const left = new Set(endingsOf(result));
        expectSame(
          keptEndings(given).filter((line) => !left.has(line)),
          [],
        );
      }),
      withSeed({ numRuns: 14_000 }),
    );
  });

  test('within lines have the same result as simple splicing, with any mix of endings', () => {
    const word = fc.constantFrom('x', 'é', '😀y');
    fc.assert(
      fc.property(caseWith(['\n', '\r\n', '\r'], word), (given) => {
        const splices = given.splices.filter(({ start, end }) => start.line === end.line);
        const inLines = { ...given, splices };
        expectSame(apply(inLines, proposed(inLines)), naive(given.text, splices, undefined));
      }),
      withSeed({ numRuns: 10_000 }),
    );
  });

  test('that replace the whole document have the same result as single edits, and keep the endings of unchanged lines', () => {
    fc.assert(
      fc.property(caseWith(endings['LF and CRLF']), (given) => {
        const wanted = naive(given.text, given.splices, '\n').replaceAll('\r\n', '\n');
        const whole = { start: { line: 0, character: 0 }, end: { line: 1_000, character: 0 } };
        const result = apply(given, [{ range: whole, newText: wanted }]);
        expectSame(result.replaceAll('\r\n', '\n'), wanted);
        if (given.splices.length === 0) expectSame(result, given.text);
      }),
      withSeed({ numRuns: 10_000 }),
    );
  });

  test('have the same result in any order of the list', () => {
    const shuffled = caseWith(['\n', '\r\n', '\r']).chain((given) => {
      // Inserts at one place are not independent of each other.
      const starts = given.splices.map(({ start }) => start.offset);
      const splices = given.splices.filter(({ start }, at) => starts.indexOf(start.offset) === at);
      const edits = proposed({ ...given, splices });
      return fc.record({
        given: fc.constant({ ...given, splices }),
        edits: fc.constant(edits),
        other: fc.shuffledSubarray(edits, { minLength: edits.length }),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ given, edits, other }) => {
        expectSame(apply(given, other), apply(given, edits));
      }),
      withSeed({ numRuns: 10_000 }),
    );
  });

  test('become operations on bytes, including the byte order mark, and can be undone to the byte', () => {
    const kinds = fc.constantFrom(...Object.values(endings)).chain((each) => caseWith(each));
    fc.assert(
      fc.property(kinds, fc.boolean(), (given, hasBom) => {
        const bom = hasBom ? '\uFEFF' : '';
        const tree = memoryTree({ 'a.ts': bom + given.text });
        const before = tree.state();
        const edits = proposed(given);
        const step = { kind: 'edit', uri: tree.uri('a.ts'), encoding: given.encoding, edits } as const;
        const { grounds } = tree;
        const plan = makePlan({ steps: [step], confirm: [] }, { title: 'a test' }, { view: grounds, tree });
        const wanted = bom + apply(given, edits);
        expectSame(plan.operations.length, wanted === bom + given.text ? 0 : 1);
        tree.carryOut(plan.operations);
        expectSame(tree.state(), { 'a.ts': wanted });
        tree.carryOut(inverseOf(plan.operations));
        expectSame(tree.state(), before);
      }),
      withSeed({ numRuns: 6_000 }),
    );
  });
});

function endingsOf(text: string): string[] {
  return text.match(/[^\r\n]*(\r\n|\r|\n)/g) ?? [];
}

/** Lines with their endings that no splice touches. */
function keptEndings({ text, splices }: Case): string[] {
  let offset = 0;
  return endingsOf(text).filter((line) => {
    const [start, end] = [offset, offset + line.length];
    offset = end;
    return splices.every((each) => each.end.offset < start || each.start.offset >= end);
  });
}
