import { describe, expect, it } from 'vitest';
import { type HierarchyStep, walkHierarchy } from '../../../../src/backends/lsp/questions/walk-hierarchy.ts';
import { LspanError } from '../../../../src/core/errors.ts';
import { limits } from '../../../../src/core/limits.ts';
import type { HierarchyNode } from '../../../../src/core/question.ts';

function step(name: string): HierarchyStep<string> {
  const position = { line: name.codePointAt(0) ?? 0, character: name.length };
  const span = { path: `/${name}`, range: { start: position, end: position }, standing: 'inside' as const };
  return { node: { name, kind: 'function', span, sites: [] }, handle: name };
}

/** A graph by names: `{ a: 'b c' }`. */
function walk(graph: Readonly<Record<string, string>>, depth: number, now?: () => number) {
  const below = async (name: string) => ({
    steps: (graph[name] ?? '').split(' ').filter(Boolean).map(step),
    isCut: false,
  });
  return walkHierarchy([step('a')], { depth, below, ...(now ? { now } : {}) });
}

function draw(nodes: readonly HierarchyNode[]): string {
  return nodes
    .map(
      ({ name, cut, children }) =>
        `${name}${cut ? `:${cut}` : ''}${children.length ? `(${draw(children)})` : ''}`,
    )
    .join(' ');
}

describe('a hierarchy', () => {
  it('is followed as deep as was asked, and says where it was not followed further', async () => {
    expect(draw(await walk({ a: 'b', b: 'c', c: 'd' }, 2))).toBe('a(b(c:depth))');
    expect(draw(await walk({ a: 'b', b: 'c', c: 'd' }, 5))).toBe('a(b(c(d)))');
  });

  it('RES-03 with cycles comes to an end, each cut where it closes', async () => {
    expect(draw(await walk({ a: 'a b', b: 'c', c: 'a b' }, 5))).toBe('a(a:cycle b(c(a:cycle b:cycle)))');
  });

  it('is told once where several lead to the same, at the place nearest to the root', async () => {
    expect(draw(await walk({ a: 'b c', b: 'd', c: 'b d', d: 'e' }, 3))).toBe(
      'a(b(d(e:depth)) c(b:repeated d:repeated))',
    );
  });

  it('is bounded in what is looked at, n and not n + 1', async () => {
    const many = Array.from({ length: limits.hierarchy.lookedBelow + 1 }, (_, index) => `n${index}`);
    const [root] = await walk({ a: many.join(' ') }, 2);
    const cut = root?.children.filter((child) => child.cut === 'many') ?? [];
    // The root itself is looked below too.
    expect(cut.map(({ name }) => name)).toEqual(many.slice(-2));
  });

  it('RES-03 of 100,000 below one is cut to as many as an answer lists, and says so', async () => {
    const steps = Array.from({ length: 100_000 }, (_, index) => step(`n${index}`));
    const [root] = await walkHierarchy([step('a')], {
      depth: 1,
      below: async () => ({ steps, isCut: false }),
    });
    expect(root?.children.length).toBe(limits.results.total - 1);
    expect(root?.cut).toBe('many');
  });

  it('is left off when it takes too long, but for what was asked about itself', async () => {
    let time = 0;
    const clock = () => {
      time += limits.hierarchy.time;
      return time;
    };
    expect(draw(await walk({ a: 'b', b: 'c' }, 3, clock))).toBe('a(b:late)');
  });

  it('is told without what the server fails to tell, and not at all where it fails at once', async () => {
    const failing = (name: string) => async (handle: string) => {
      if (handle === name) throw new LspanError('server_unverified', 'It failed.');
      return { steps: handle === 'a' ? [step('b'), step('c')] : [], isCut: false };
    };
    expect(draw(await walkHierarchy([step('a')], { depth: 2, below: failing('b') }))).toBe('a(b:failed c)');
    const whole = walkHierarchy([step('a')], { depth: 2, below: failing('a') });
    await expect(whole).rejects.toThrow('It failed.');
  });
});
