import path from 'node:path';
import fc from 'fast-check';
import { describe, test } from 'vitest';
import { asLspanError } from '../../../src/core/errors.ts';
import type { Plan, PlannedFile } from '../../../src/edits/plan.ts';
import { withSeed } from '../../with-seed.ts';
import { expectSame } from '../expect-same.ts';
import { inverseOf } from '../inverse-of.ts';
import { type MemoryTree, memoryTree } from '../memory-tree.ts';
import { planOver, type ShortStep } from '../plan-of.ts';

/** The model: a plain map from paths to texts, where folders end with a slash; a step that cannot be taken throws. */
type Model = Map<string, string>;

const places = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'n/m/a', 'n'];
const place = fc.constantFrom(...places);
const ifThere = fc.constantFrom('refuse', 'refuse', 'overwrite', 'ignore');
const step: fc.Arbitrary<ShortStep> = fc.oneof(
  place.map((edit): ShortStep => ({ edit, edits: [[0, 0, 0, 0, '+']] })),
  fc.record({ create: place, text: fc.constantFrom('', 'new'), ifThere }),
  fc.record({ rename: place, to: place, ifThere }),
  fc.record({ delete: place, recursive: fc.boolean(), ifMissing: fc.constantFrom('refuse', 'ignore') }),
);

class Impossible extends Error {}

function take(model: Model, given: ShortStep): void {
  if ('edit' in given) {
    const text = model.get(given.edit);
    if (text === undefined) throw new Impossible();
    model.set(given.edit, `+${text}`);
  } else if ('create' in given) create(model, given.create, given.text ?? '', given.ifThere);
  else if ('rename' in given) rename(model, given.rename, given.to, given.ifThere);
  else remove(model, given.delete, given.recursive ?? false, given.ifMissing);
}

function create(model: Model, file: string, text: string, flag: string | undefined): void {
  if (model.has(`${file}/`)) throw new Impossible();
  if (model.has(file) && flag === 'ignore') return;
  if (model.has(file) && flag === 'refuse') throw new Impossible();
  makeFolders(model, file);
  model.set(file, text);
}

function rename(model: Model, from: string, to: string, flag: string | undefined): void {
  const isFolder = model.has(`${from}/`);
  if (!isFolder && !model.has(from)) throw new Impossible();
  if (from === to) return;
  const taken = model.has(to) || model.has(`${to}/`);
  if (taken && flag === 'ignore') return;
  if (taken && (flag === 'refuse' || isFolder || model.has(`${to}/`))) throw new Impossible();
  if (to.startsWith(`${from}/`)) throw new Impossible();
  model.delete(to);
  makeFolders(model, to);
  for (const [name, text] of [...model]) {
    if (name !== from && !name.startsWith(`${from}/`)) continue;
    model.delete(name);
    model.set(to + name.slice(from.length), text);
  }
}

function remove(model: Model, name: string, recursive: boolean, flag: string | undefined): void {
  const isFolder = model.has(`${name}/`);
  if (!isFolder && !model.has(name)) {
    if (flag === 'ignore') return;
    throw new Impossible();
  }
  if (isFolder && !recursive) throw new Impossible();
  for (const each of [...model.keys()]) if (each === name || each.startsWith(`${name}/`)) model.delete(each);
}

function makeFolders(model: Model, file: string): void {
  for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) {
    if (model.has(folder)) throw new Impossible();
    model.set(`${folder}/`, '');
  }
}

const start = { a: 'A', b: 'B', 'd/a': 'DA', 'd/e/a': 'DEA' };

/** What the model comes to, or nothing where a step cannot be taken. */
function modelled(
  steps: readonly ShortStep[],
  before: Record<string, string>,
): Record<string, string> | undefined {
  const model: Model = new Map(Object.entries(before));
  try {
    for (const each of steps) take(model, each);
  } catch (thrown) {
    if (thrown instanceof Impossible) return undefined;
    throw thrown;
  }
  return Object.fromEntries(model);
}

function planned(
  tree: MemoryTree,
  steps: readonly ShortStep[],
  earlier: readonly ShortStep[] = [],
): Plan | string {
  try {
    return planOver(tree, steps, {}, earlier);
  } catch (thrown) {
    return asLspanError(thrown).message;
  }
}

/** What one plan does not do: it moves no folder that it makes itself, and removes none that it moves. */
const beyond = /is (created|moved) by the same change/;

describe('EDT-39 steps', () => {
  test('have the same result as a simple model, or are refused where it refuses them; undone, everything is as before', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const tree = memoryTree(start);
        const before = tree.state();
        const wanted = modelled(steps, before);
        const plan = planned(tree, steps);
        if (typeof plan === 'string') {
          expectSame(wanted === undefined || beyond.test(plan), true);
          return;
        }
        tree.carryOut(plan.operations);
        if (plan.files.length > 0) expectSame(tree.state(), wanted);
        else expectSame(filesOf(tree.state()), filesOf(wanted ?? {}));
        tree.carryOut(inverseOf(plan.operations));
        expectSame(tree.state(), before);
      }),
      withSeed({ numRuns: 8_000 }),
    );
  });

  test('list in their files exactly what differs in the end', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        const tree = memoryTree(start);
        const before = filesOf(tree.state());
        const plan = planned(tree, steps);
        if (typeof plan === 'string') return;
        tree.carryOut(plan.operations);
        // A folder that moves is told as a whole, and not what is in it.
        if (plan.files.some(isFolder)) return;
        expectSame(filesOf(tree.state()), told(plan, before));
      }),
      withSeed({ numRuns: 4_000 }),
    );
  });

  test('planned on the result of other steps are planned as if those had been applied', () => {
    const some = fc.array(step, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, some, (earlier, later) => {
        const [ahead, taken] = [memoryTree(start), memoryTree(start)];
        const first = planned(taken, earlier);
        if (typeof first === 'string' || first.files.length === 0) return;
        const seen = planned(ahead, later, earlier);
        taken.carryOut(first.operations);
        const expected = planned(taken, later);
        expectSame(
          typeof seen === 'string' ? seen : seen.files,
          typeof expected === 'string' ? expected : expected.files,
        );
      }),
      withSeed({ numRuns: 4_000 }),
    );
  });
});

function isFolder({ before, newPath }: PlannedFile): boolean {
  return before === undefined && newPath !== undefined;
}

/** What files come to by what a plan tells of them. */
function told({ files }: Plan, before: Record<string, string>): Record<string, string> {
  const left = new Map(Object.entries(before));
  for (const { path: file, change } of files) if (change !== 'create') left.delete(file.slice(3));
  for (const { path: file, newPath = file, after } of files)
    if (after !== undefined) left.set(newPath.slice(3), after);
  return Object.fromEntries(left);
}

function filesOf(state: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(state).filter(([name]) => !name.endsWith('/')));
}
