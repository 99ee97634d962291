import { z } from 'zod';
import { asLspanError, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { Proposal, ProposedStep } from '../../core/proposal.ts';
import { quotePath } from '../../core/wording/quote-path.ts';
import { type Document, documentOf } from '../../workspace/texts/document.ts';
import type { ToolContext } from '../run/tool.ts';
import { filePath } from '../target/target-fields.ts';

/** A text that replaces another, which must occur once. */
export const replacement = z.strictObject({
  file_path: filePath,
  old_text: z.string(),
  new_text: z.string(),
});

type Replacement = z.output<typeof replacement>;

/** Reads replacements, each on the result of those before it; an empty `old_text` makes a new file. */
export async function readReplacements(
  context: ToolContext,
  given: readonly Replacement[],
): Promise<Proposal> {
  const steps: ProposedStep[] = [];
  const present = new Map<string, Document>();
  for (const one of given) {
    const uri = await uriOf(context, one);
    const edited = present.get(uri);
    const document = edited ?? (await readExisting(context, one));
    if (!document) {
      steps.push({ kind: 'create', uri, text: one.new_text, ifThere: 'refuse' });
      present.set(uri, documentOf(uri, one.new_text));
      continue;
    }
    const [start, end] = placeOf(document, one);
    const range = { start: document.positionAt(start), end: document.positionAt(end) };
    const edits = [{ range, newText: one.new_text }];
    const seen = edited ? {} : { seen: document.hash };
    steps.push({ kind: 'edit', uri, encoding: 'utf-16', edits, ...seen });
    const text = `${document.text.slice(0, start)}${one.new_text}${document.text.slice(end)}`;
    present.set(uri, documentOf(document.path, text));
  }
  return { steps, confirm: [] };
}

/** Returns the same URI for a file, however it was named. */
async function uriOf({ workspace }: ToolContext, { file_path }: Replacement): Promise<string> {
  const found = await workspace.resolve(file_path).catch((thrown: unknown) => {
    if (asLspanError(thrown).code !== 'not_found') throw thrown;
    return workspace.entry(file_path).path;
  });
  return workspace.uri(found);
}

async function readExisting(
  { workspace }: ToolContext,
  { file_path, old_text }: Replacement,
): Promise<Document | undefined> {
  const found = workspace.resolve(file_path).then((real) => workspace.read(real));
  return found.catch((thrown: unknown) => {
    if (old_text !== '' || asLspanError(thrown).code !== 'not_found') throw thrown;
    return undefined;
  });
}

/** Returns where the old text begins and ends; the place must be unique. */
function placeOf(document: Document, { file_path, old_text }: Replacement): readonly [number, number] {
  const { text } = document;
  if (old_text === '') {
    if (text === '') return [0, 0];
    throw new LspanError('invalid_input', `\`old_text\` is empty, but ${quotePath(file_path)} exists.`, {
      nextStep: 'Give the text to replace.',
    });
  }
  const places = matches(text, anyLineEnding(old_text));
  const [only, ...others] = places;
  if (only && others.length === 0) return only;
  const lines = (some: readonly (readonly [number, number])[]) =>
    some.slice(0, limits.named.replacements).map(([start]) => document.positionAt(start).line + 1);
  if (only) {
    const message = `\`old_text\` occurs ${places.length} times in ${quotePath(file_path)}, at lines ${lines(places).join(', ')}.`;
    throw new LspanError('ambiguous', message, {
      nextStep: 'Give more of the surrounding text.',
    });
  }
  const near = lines(matches(text, anySpacing(old_text)));
  const hint = near.length === 0 ? '' : ` Apart from white space, it occurs at line ${near.join(', ')}.`;
  throw new LspanError('not_found', `\`old_text\` does not occur in ${quotePath(file_path)}.${hint}`, {
    nextStep: 'Read the file again, and give the exact text.',
  });
}

/** Returns all places, overlapping ones included: then it is not clear either which is meant. */
function matches(text: string, pattern: RegExp | undefined): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  if (!pattern) return found;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push([match.index, match.index + match[0].length]);
    // From the middle of a surrogate pair, an expression with the flag `u` would find the same place again,
    // endlessly.
    pattern.lastIndex = match.index + ((text.codePointAt(match.index) ?? 0) > 0xffff ? 2 : 1);
  }
  return found;
}

/** Matches any line ending, since an agent does not see how the lines of a file end. */
function anyLineEnding(text: string): RegExp {
  const lines = text.split(/\r\n?|\n/).map(literal);
  return new RegExp(lines.join('(?:\\r\\n?|\\n)'), 'gu');
}

function anySpacing(text: string): RegExp | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : new RegExp(words.map(literal).join('\\s+'), 'gu');
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
