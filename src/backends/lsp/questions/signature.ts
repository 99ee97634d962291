import type { Signature } from '../../../core/question.ts';
import { type Json, list, number, object, text } from '../../../core/runtime/json.ts';
import { malformed, readEntries } from '../convert/entry.ts';
import { readDocumentation } from '../convert/markup.ts';
import { positionParams } from '../convert/translation.ts';
import type { Row } from './row.ts';

/** Signatures of the call at a place, with the active parameter. */
export const signaturesRow: Row<'signatures'> = {
  method: 'textDocument/signatureHelp',
  capability: 'signatureHelpProvider',
  path: ({ place }) => place.path,
  params: async ({ place }, translation) => ({
    ...(await positionParams(place, translation)),
    context: { triggerKind: 1, isRetrigger: false },
  }),
  answer: async (raw, _question, { server }) => {
    if (raw === null || raw === undefined) return undefined;
    const { signatures, activeSignature, activeParameter } = object(raw);
    const wanted = { server, noun: 'signatures' };
    if (!Array.isArray(signatures)) throw malformed(wanted);
    const read = readEntries(wanted, signatures, (entry) => readSignature(object(entry), activeParameter));
    if (read.length === 0) return undefined;
    const active = number(activeSignature) ?? 0;
    return { signatures: read, active: read[active] === undefined ? 0 : active };
  },
  count: (answer) => answer?.signatures.length ?? 0,
};

/** The signature's own active parameter takes precedence over the common one; the default is the first. */
function readSignature(entry: Json, activeForAll: unknown): Signature | undefined {
  const label = text(entry.label);
  if (label === undefined) return undefined;
  const documentation = readDocumentation(entry.documentation);
  const parameters = readParameters(label, list(entry.parameters));
  const told = entry.activeParameter === undefined ? activeForAll : entry.activeParameter;
  const active = told === undefined ? 0 : number(told);
  return {
    label,
    ...(documentation ? { documentation } : {}),
    parameters,
    // An index beyond the last means that there is no such parameter.
    ...(active !== undefined && parameters[active] ? { active } : {}),
  };
}

function readParameters(label: string, entries: readonly unknown[]): Signature['parameters'] {
  let end = Math.max(0, label.indexOf('('));
  return entries.map((entry) => {
    const { label: named, documentation } = object(entry);
    const [from, to] = Array.isArray(named) ? offsetsIn(label, named) : findIn(label, text(named) ?? '', end);
    end = Math.max(end, to);
    const told = readDocumentation(documentation);
    return { from, to, ...(told ? { documentation: told } : {}) };
  });
}

/** Offsets count UTF-16 units, whatever the position encoding. */
function offsetsIn(label: string, [from, to]: readonly unknown[]): readonly [number, number] {
  const inside = (value: unknown) => Math.min(Math.max(0, Math.trunc(number(value) ?? 0)), label.length);
  return [inside(from), Math.max(inside(from), inside(to))];
}

/** Finds a parameter after the preceding ones, preferably as a whole word; an empty range if not found. */
function findIn(label: string, name: string, from: number): readonly [number, number] {
  if (name === '') return [0, 0];
  const places = [from, 0].flatMap((start) => placesOf(label, name, start));
  const isWhole = (at: number) => !isWord(label[at - 1]) && !isWord(label[at + name.length]);
  const at = places.find(isWhole) ?? places[0];
  return at === undefined ? [0, 0] : [at, at + name.length];
}

function placesOf(label: string, name: string, from: number): number[] {
  const found: number[] = [];
  for (let at = label.indexOf(name, from); at >= 0; at = label.indexOf(name, at + name.length))
    found.push(at);
  return found;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{ID_Continue}$]/u.test(character);
}
