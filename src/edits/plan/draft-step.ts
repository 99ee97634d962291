import type { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { ProposedStep } from '../../core/proposal.ts';
import type { WorkspaceView } from '../edits.ts';
import { applyTextEdits } from '../text/apply-text-edits.ts';
import { type FileText, faultOfText, withoutBom } from '../text/file-text.ts';
import type { Draft } from './draft.ts';
import type { VirtualFile } from './virtual-tree.ts';

/** Applies one step of a proposal to a draft. Throws if it cannot be done exactly as proposed. */
export function draftStep(step: ProposedStep, draft: Draft, view: WorkspaceView): void {
  for (const uri of urisOf(step)) refuseStaleLinks(uri, draft, view);
  if (step.kind === 'edit') edit(step, draft, view);
  else if (step.kind === 'create') create(step, draft, view);
  else if (step.kind === 'rename') rename(step, draft, view);
  else remove(step, draft, view);
}

/** Returns the URIs that a step names. */
export function urisOf(step: ProposedStep): string[] {
  return step.kind === 'rename' ? [step.from, step.to] : [step.uri];
}

/** URIs are resolved on the disk, which still has a link that a step has removed or moved. */
function refuseStaleLinks(uri: string, draft: Draft, view: WorkspaceView): void {
  if (!draft.hasOperations) return;
  const whole = withoutDots(uri);
  for (let end = whole.indexOf('/'); end >= 0; end = whole.indexOf('/', end + 1)) {
    const { path, standing } = view.entryFromUri(whole.slice(0, end));
    if (standing !== 'inside') continue;
    const found = draft.onDisk(path);
    if (found === 'stale_link')
      throw draft.refusals.file(path, 'is a link that the same change removes or moves');
    // Nothing is below a missing entry.
    if (found === 'nothing') return;
  }
}

/** Makes each folder lie in the one before. Does not use Node's own URLs: some foreign input aborts the process. */
function withoutDots(uri: string): string {
  const kept: string[] = [];
  for (const part of uri.split('/')) {
    const name = part.replace(/%2e/gi, '.');
    // The first three parts are the scheme, the host and the root, above which there is nothing.
    if (name === '..' && kept.length > 3) kept.pop();
    else if (name !== '.' && name !== '..') kept.push(part);
  }
  return kept.join('/');
}

type StepOf<Kind> = ProposedStep & { readonly kind: Kind };

/** The file that a step means, and its path at that point. */
interface StepTarget {
  readonly place: string;
  readonly file: VirtualFile;
}

/** Returns the file that an edit means, by its own name or through a link; `undefined` if there is none. */
export function targetOf(uri: string, draft: Draft, view: WorkspaceView): StepTarget | undefined {
  const entry = view.entryFromUri(uri).path;
  const node = draft.tree.look(entry);
  if (node.kind === 'gone') return undefined;
  if (node.kind === 'folder' || node.kind === 'other') throw draft.refusals.file(entry, kinds[node.kind]);
  const isUntouched = node.origin === entry;
  if (node.kind === 'file' && !isUntouched) return { place: entry, file: node };
  if (!isUntouched) throw draft.refusals.file(entry, 'is a link that the same change moves');
  if (node.kind === 'link') draft.protectedFiles.add(entry);
  // If letter case does not count, this is also the one spelling of the file's name.
  const place = view.fromUri(uri).path;
  const file = draft.tree.look(place);
  if (file.kind === 'file') return { place, file };
  throw draft.refusals.file(entry, 'is a link to a missing file');
}

const kinds = { folder: 'is a folder', other: 'is not a regular file' } as const;

function edit(step: StepOf<'edit'>, draft: Draft, view: WorkspaceView): void {
  const target = targetOf(step.uri, draft, view);
  const { refusals } = draft;
  if (!target) throw missing(step.uri, draft, view, step.seen !== undefined);
  const { place, file } = target;
  if (step.seen !== undefined && draft.contents.before(file)?.hash !== step.seen)
    throw refusals.stale([place]);
  if (step.edits.length === 0) return;
  const before = textOf(target, draft);
  const { text, edits } = applyTextEdits(before.text, step.edits, step.encoding, (line, wrong) =>
    refusals.edit(place, line, wrong),
  );
  if (edits > 0) draft.write(place, file, withoutBom({ ...before, text }, before), edits);
}

function textOf({ place, file }: StepTarget, draft: Draft): FileText {
  if ((file.entry?.size ?? 0) > limits.edit.document) throw draft.refusals.tooLarge(place);
  const text = draft.contents.text(file);
  if (typeof text === 'object') return text;
  throw draft.refusals.file(place, text === 'not_utf8' ? 'is not valid UTF-8 text' : 'is a binary file');
}

function create(step: StepOf<'create'>, draft: Draft, view: WorkspaceView): void {
  const place = view.entryFromUri(step.uri).path;
  const fault = faultOfText(step.text);
  if (fault) throw draft.refusals.file(place, `would contain ${fault}`);
  const now = withoutBom({ text: step.text, hasBom: false }, { text: '', hasBom: false });
  const node = draft.tree.look(place);
  if (node.kind === 'folder' || node.kind === 'other') throw draft.refusals.file(place, kinds[node.kind]);
  if (node.kind === 'gone') draft.create(place, now);
  else if (step.ifThere === 'refuse') throw draft.refusals.file(place, 'already exists');
  else if (step.ifThere === 'overwrite') overwrite(step.uri, now, draft, view);
}

/** Writes through a link, as an edit does: the link stays. */
function overwrite(uri: string, now: FileText, draft: Draft, view: WorkspaceView): void {
  const target = targetOf(uri, draft, view);
  if (target) draft.write(target.place, target.file, now, 1);
}

function rename(step: StepOf<'rename'>, draft: Draft, view: WorkspaceView): void {
  const [from, to] = [view.entryFromUri(step.from).path, view.entryFromUri(step.to).path];
  const node = draft.tree.look(from);
  if (node.kind === 'gone') throw missing(step.from, draft, view, false);
  if (node.kind === 'other') throw draft.refusals.file(from, kinds.other);
  if (from === to) return;
  if (draft.isTaken(from, to)) {
    if (step.ifThere === 'ignore') return;
    if (step.ifThere === 'refuse') throw draft.refusals.file(to, 'already exists');
    const there = draft.tree.look(to);
    const replaceable = there.kind !== 'folder' && node.kind !== 'folder';
    if (!replaceable) throw draft.refusals.file(to, 'already exists, and only files can be replaced');
    draft.remove(to);
  }
  draft.move(from, to, node);
}

function remove(step: StepOf<'delete'>, draft: Draft, view: WorkspaceView): void {
  const place = view.entryFromUri(step.uri).path;
  const node = draft.tree.look(place);
  if (node.kind === 'gone' && step.ifMissing === 'ignore') return;
  if (node.kind === 'gone') throw missing(step.uri, draft, view, false);
  if (node.kind === 'folder' && !step.recursive)
    throw draft.refusals.file(place, 'is a folder, and the change does not include its content');
  draft.remove(place);
}

function missing(uri: string, draft: Draft, view: WorkspaceView, wasSeen: boolean): LspanError {
  const place = view.entryFromUri(uri).path;
  return wasSeen ? draft.refusals.stale([place]) : draft.refusals.file(place, 'does not exist');
}
