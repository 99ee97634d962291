import { z } from 'zod';
import { LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { type Position, toLineColumn } from '../../core/position.ts';
import type { Signature, Signatures } from '../../core/question.ts';
import { wordAround } from '../../source-text/words.ts';
import type { Document } from '../../workspace/texts/document.ts';
import { cutBytes } from '../run/cut-text.ts';
import { defineTool } from '../run/define-tool.ts';
import { fenced } from '../run/fenced.ts';
import { maxTokens } from '../run/paging-fields.ts';
import { exactPlace, placeFields } from '../target/exact-place.ts';
import { unverifiedError } from '../target/no-answer.ts';

const signature = z.object({
  label: z.string(),
  parameters: z.array(z.string()),
  active_parameter: z.int().optional(),
  documentation: z.string().optional(),
  parameter_documentation: z.string().optional(),
});

type ShownSignature = z.output<typeof signature>;

/** Shows the signatures of the function that is called at a place. */
export const getSignatureHelp = defineTool({
  name: 'get_signature_help',
  title: 'Signature of a call',
  toolset: 'intelligence',
  listed: false,
  description:
    'The signatures of the function called at a position, the active parameter marked. Give a position between the parentheses, or the function name.',
  input: z.strictObject({ ...placeFields, max_tokens: maxTokens }),
  output: z.object({ signatures: z.array(signature) }),
  effects: 'none',
  instead: 'get_hover on the function name shows its signature.',
  prose: ['documentation'],
  async answer(context, input, call) {
    const { path, document, position: given } = await exactPlace(context, input);
    const named = callAt(document, given);
    const position = named?.inside ?? given;
    const { answer, doubts } = await context.backend.ask(
      { kind: 'signatures', place: { path, position } },
      call,
    );
    const adjusted = named && `the arguments of ${JSON.stringify(named.name)} at ${renderPosition(position)}`;
    if (!answer) {
      const read = adjusted === undefined ? '' : ` The target was read as: ${adjusted}.`;
      if (doubts.length > 0) throw unverifiedError('No signature was found', doubts, { read });
      throw noCall(`${context.workspace.show(path)}:${renderPosition(given)}`, read);
    }
    const data = { signatures: fittingFirst(answer).map(toSignature) };
    return { data, adjusted, total: data.signatures.length, doubts };
  },
  render: ({ signatures }) => signatures.map(renderSignature).join('\n'),
  count: ({ signatures }) => signatures.length,
  cut: ({ signatures }, keep) => ({
    // The first one is the one that fits, and there is no answer without it.
    signatures: signatures.slice(0, Math.max(1, keep)).map((one) => (keep === 0 ? shorten(one) : one)),
  }),
});

/** Puts the signature that fits first. */
function fittingFirst({ signatures, active }: Signatures): readonly Signature[] {
  const fitting = signatures[active];
  return fitting ? [fitting, ...signatures.filter((_, index) => index !== active)] : signatures;
}

function toSignature({ label, parameters, active, documentation }: Signature): ShownSignature {
  const current = active === undefined ? undefined : parameters[active];
  return {
    label: current ? markParameter(label, current) : label,
    parameters: parameters.map(({ from, to }) => label.slice(from, to)),
    ...(active === undefined ? {} : { active_parameter: active }),
    ...(documentation ? { documentation } : {}),
    ...(current?.documentation ? { parameter_documentation: current.documentation } : {}),
  };
}

function markParameter(label: string, { from, to }: Signature['parameters'][number]): string {
  return from === to ? label : `${label.slice(0, from)}«${label.slice(from, to)}»${label.slice(to)}`;
}

function renderSignature({ label, documentation, parameter_documentation }: ShownSignature): string {
  const parts = [
    parameter_documentation && `parameter: ${parameter_documentation}`,
    documentation && fenced(documentation),
  ];
  const lines = parts.filter((part) => part !== undefined).map((part) => part.replace(/^/gm, '  '));
  return [label, ...lines].join('\n');
}

function shorten({ documentation: _, parameter_documentation: __, ...rest }: ShownSignature): ShownSignature {
  return {
    ...rest,
    label: rest.label.length > limits.signature ? cutBytes(rest.label, limits.signature) : rest.label,
  };
}

function renderPosition(position: Position): string {
  const { line, character } = toLineColumn(position);
  return `${line}:${character}`;
}

function noCall(where: string, read: string): LspanError {
  return new LspanError('not_found', `There is no call at ${where}.${read}`, {
    nextStep: 'Give a position between the parentheses of a call. For a name without a call, use get_hover.',
  });
}

/** Returns the name of the call at a place, and the place after the parenthesis that opens its arguments. */
function callAt(
  document: Document,
  { line, character }: Position,
): { readonly name: string; readonly inside: Position } | undefined {
  const text = document.line(line);
  const word = wordAround(text, character);
  if (word === undefined) return undefined;
  const end = word.start + word.text.length;
  const open = argumentsStart(text.slice(end));
  return open === undefined ? undefined : { name: word.text, inside: { line, character: end + open } };
}

/** Returns how far after a name its arguments begin: after `(`, `?.(`, `!(`, `<T>(` or `::<T>(`. */
function argumentsStart(rest: string): number | undefined {
  const before = /^(?:\?\.|!|::)?\s*/.exec(rest)?.[0].length ?? 0;
  const from = rest[before] === '<' ? typeArgumentsEnd(rest, before) : before;
  if (from === undefined) return undefined;
  const paren = /^\s*\(/.exec(rest.slice(from));
  return paren ? from + paren[0].length : undefined;
}

/** Returns the index after the `>` that closes the `<` at `from`; an arrow does not close it. */
function typeArgumentsEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '<') depth += 1;
    if (text[at] === '>' && text[at - 1] !== '=' && text[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
