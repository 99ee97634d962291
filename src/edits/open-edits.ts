import * as fs from 'node:fs';
import path from 'node:path';
import { LspanError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { Edits, Grounds } from './edits.ts';
import { makePlan } from './make-plan.ts';
import type { Edit, Operation, Plan } from './plan.ts';
import { newPlanId, PlanStore } from './plan-store.ts';
import type { Entry, Tree } from './tree.ts';

/** A stand-in until the transaction is there: it writes plainly, and remembers only while it runs. */
export function openEdits({
  grounds,
}: {
  readonly grounds: Grounds;
  readonly folder: string;
  readonly log: Log;
}): Edits {
  const store = new PlanStore();
  const done: { edit: Edit; plan: Plan }[] = [];
  return {
    plan(proposal, options) {
      const plan = makePlan(proposal, options, { grounds, tree });
      if (!options.passing) store.keep(plan);
      return plan;
    },
    find: (id) => store.find(id),
    async apply(plan) {
      store.find(plan.id);
      for (const operation of plan.operations) take(operation);
      const files = plan.files.map(({ before: _, after: __, ...file }) => file);
      const { title, roots, undoes } = plan;
      const edit: Edit = {
        id: `e-${plan.id.slice(2)}`,
        title,
        roots,
        files,
        at: Date.now(),
        ...(undoes ? { undoes } : {}),
      };
      done.unshift({ edit, plan });
      store.markApplied(plan.id, edit.id);
      return edit;
    },
    planUndo(id) {
      const one = done.find(({ edit }) => (id === undefined ? edit.undoes === undefined : edit.id === id));
      if (!one) throw new LspanError('not_found', 'There is no such edit.');
      const plan: Plan = {
        ...one.plan,
        id: newPlanId(),
        title: `undo of ${one.plan.title}`,
        files: one.plan.files.map(({ before, after, ...file }) => ({
          ...file,
          ...(after === undefined ? {} : { before: after }),
          ...(before === undefined ? {} : { after: before }),
        })),
        operations: [...one.plan.operations].reverse().map(inverse),
        doubts: [],
        undoes: one.edit.id,
      };
      store.keep(plan);
      return plan;
    },
    history: () => done.map(({ edit }) => edit),
    recover: async () => ({ undone: [], completed: [], conflicts: [] }),
  };
}

function take(one: Operation): void {
  if (one.kind === 'put' && one.after.kind === 'file') fs.writeFileSync(one.path, one.after.bytes);
  if (one.kind === 'remove') fs.rmSync(one.path);
  if (one.kind === 'make_folder') fs.mkdirSync(one.path);
  if (one.kind === 'remove_folder') fs.rmdirSync(one.path);
  if (one.kind === 'move') fs.renameSync(one.from, one.to);
}

function inverse(one: Operation): Operation {
  if (one.kind === 'put')
    return one.before
      ? { ...one, before: one.after, after: one.before }
      : { kind: 'remove', path: one.path, before: one.after };
  if (one.kind === 'remove') return { kind: 'put', path: one.path, before: undefined, after: one.before };
  if (one.kind === 'make_folder') return { ...one, kind: 'remove_folder' };
  if (one.kind === 'remove_folder') return { ...one, kind: 'make_folder' };
  return { ...one, from: one.to, to: one.from };
}

const tree: Tree = {
  look(file): Entry | undefined {
    const stats = fs.lstatSync(file, { throwIfNoEntry: false });
    if (!stats) return undefined;
    const kind = stats.isFile()
      ? 'file'
      : stats.isDirectory()
        ? 'folder'
        : stats.isSymbolicLink()
          ? 'link'
          : 'other';
    return {
      kind,
      mode: stats.mode & 0o7777,
      owner: stats.uid,
      group: stats.gid,
      device: stats.dev,
      inode: stats.ino,
      names: stats.nlink,
      size: stats.size,
      writable: (stats.mode & 0o200) !== 0,
    };
  },
  read: (file) => fs.readFileSync(file),
  readLink: (file) => fs.readlinkSync(file),
  list: (folder) => fs.readdirSync(path.resolve(folder)).sort(),
};
