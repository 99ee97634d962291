import { createHash } from 'node:crypto';
import { limits } from '../../core/limits.ts';
import type { Content, Edit, Plan } from '../plan.ts';
import { planSteps } from './plan-steps.ts';
import { actionOf, type Step } from './step.ts';

/** The record of an edit that was begun: enough to finish it, to undo it, and to describe it. */
export interface Journal {
  readonly id: string;
  readonly title: string;
  readonly roots: readonly string[];
  readonly files: Edit['files'];
  readonly at: number;
  readonly undoes?: string;
  /** The id that its caller gave to the call that made the edit. */
  readonly call?: string;
  readonly steps: readonly Step[];
  /** Offset and length of the content with each hash. */
  readonly images: Readonly<Record<string, readonly [start: number, length: number]>>;
}

/** A journal as it is written, with its contents. */
export interface WrittenJournal {
  readonly journal: Journal;
  /** True if it relies on hard links. */
  readonly links: boolean;
  readonly bytes: readonly Buffer[];
}

/** Returns the journal of a plan that is about to be applied. */
export function journalOf(plan: Plan, at: number, links: boolean, call?: string): WrittenJournal {
  const { title, roots } = plan;
  const id = editIdOf(plan.id);
  const { images, contents } = collect(plan);
  const files = plan.files.map(({ before, after, ...file }) => file);
  const steps = planSteps(plan.operations.map(actionOf), links);
  const undoes = plan.undoes === undefined ? {} : { undoes: plan.undoes };
  const caller = call === undefined ? {} : { call };
  const journal: Journal = { id, title, roots, files, at, ...undoes, ...caller, steps, images };
  const header = Buffer.from(JSON.stringify(journal));
  return { journal, links, bytes: [Buffer.from(firstLine(header)), header, ...contents] };
}

/** Returns the id of the edit that a plan becomes. */
export function editIdOf(planId: string): string {
  return planId.startsWith(planPrefix) ? `e-${planId.slice(planPrefix.length)}` : planId;
}

/** The beginning of the id of a plan, which that of its edit has not. */
export const planPrefix = 'p-';

/** Returns the edit that a journal describes. */
export function editOf(journal: Journal, warnings: readonly string[] = [], undoneBy?: string): Edit {
  const { id, title, roots, files, at, undoes } = journal;
  return {
    ...{ id, title, roots, files, at },
    ...(undoes !== undefined && { undoes }),
    ...(undoneBy !== undefined && { undoneBy }),
    ...(warnings.length > 0 && { warning: `The edit was applied, but ${warnings.join('; and ')}.` }),
  };
}

/** The number of bytes at the start of a journal that contain the length of its header. */
export const firstLineLength = 96;

/** Returns the length of the header; `undefined` if the line is not one of ours. */
export function headerLength(line: Buffer): number | undefined {
  const [, length] = /^lspan journal 1 (\d{9}) [0-9a-f]{64} *\n$/.exec(line.toString('latin1')) ?? [];
  return length === undefined ? undefined : Number(length);
}

/** Reads a header; `undefined` if it does not match the first line. */
export function readHeader(line: Buffer, header: Buffer): Journal | undefined {
  return line.toString('latin1') === firstLine(header) ? JSON.parse(header.toString()) : undefined;
}

/** Returns the offset of the contents. */
export function contentsStart(header: number): number {
  return firstLineLength + header;
}

/** Contents after the edit only serve to show what was changed since, so their size is limited. */
function collect(plan: Plan): { images: Journal['images']; contents: readonly Buffer[] } {
  const images: Record<string, readonly [number, number]> = {};
  const contents: Buffer[] = [];
  let length = 0;
  const add = (content: Content | undefined, most: number) => {
    if (content?.kind !== 'file' || content.hash in images) return;
    if (length + content.bytes.length > most) return;
    images[content.hash] = [length, content.bytes.length];
    contents.push(content.bytes);
    length += content.bytes.length;
  };
  const changing = plan.operations.filter((one) => one.kind === 'put' || one.kind === 'remove');
  for (const { before } of changing) add(before, Number.POSITIVE_INFINITY);
  for (const one of changing) if (one.kind === 'put') add(one.after, limits.undo.journal);
  return { images, contents };
}

function firstLine(header: Buffer): string {
  const length = String(header.length).padStart(9, '0');
  const line = `lspan journal 1 ${length} ${createHash('sha256').update(header).digest('hex')}`;
  return `${line.padEnd(firstLineLength - 1)}\n`;
}
