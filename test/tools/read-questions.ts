import { expect } from 'vitest';
import type { Bridge } from '../../src/bridge.ts';
import { tools } from '../../src/tools/index.ts';

/** What is asked about: a symbol by its position and its name, in a file. */
export interface Subject {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly name: string;
}

/** One call of a tool. */
export interface ReadQuestion {
  readonly tool: string;
  readonly input: object;
}

/** Every tool that only reads, each with questions about a subject; a tool that is not here makes the test fail. */
export function readQuestions({ name, ...place }: Subject): readonly ReadQuestion[] {
  const { file_path, line, character } = place;
  const inputs: Readonly<Record<string, readonly object[]>> = {
    find_definition: [place, { symbol_name: name }],
    find_references: [place, { ...place, include_mentions: true }],
    find_implementations: [place],
    get_call_hierarchy: [{ ...place, direction: 'both', depth: 2 }],
    get_type_hierarchy: [{ ...place, direction: 'both' }],
    search_workspace_symbols: [{ query: name.slice(0, 3) }],
    get_document_symbols: [{ file_path }],
    inspect_symbol: [place, { symbol_name: name }],
    get_hover: [place],
    get_completions: [{ file_path, line, character: character + 2 }],
    get_signature_help: [place],
    get_inlay_hints: [{ file_path, line: 1, end_line: 20 }],
    get_diagnostics: [{ file_path }, {}],
    get_code_actions: [{ file_path }],
    check_edits: [
      { candidates: [{ id: 'a', edits: [{ file_path, old_text: name, new_text: `${name}1` }] }] },
    ],
  };
  const reading = tools.filter(({ effects, name: own }) => effects === 'none' && own !== statusTool);
  expect(Object.keys(inputs)).toEqual(expect.arrayContaining(reading.map((tool) => tool.name)));
  return tools.flatMap((tool) => (inputs[tool.name] ?? []).map((input) => ({ tool: tool.name, input })));
}

/** Time and memory are never the same twice. */
const statusTool = 'get_server_status';

/** A place as an answer tells it. */
export interface ToldPlace {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
}

/** Every place of an answer's data; one outside the workspace and its libraries, which has no text, is no place to ask about. */
export function placesIn(value: unknown, file?: string): readonly ToldPlace[] {
  if (Array.isArray(value)) return value.flatMap((one) => placesIn(one, file));
  if (typeof value !== 'object' || value === null || ('external' in value && value.external === 'outside'))
    return [];
  const path = 'file_path' in value && typeof value.file_path === 'string' ? value.file_path : file;
  const inner = Object.values(value).flatMap((one) => placesIn(one, path));
  const [line, character] = ['line' in value && value.line, 'character' in value && value.character];
  const isPlace = path !== undefined && typeof line === 'number' && typeof character === 'number';
  return isPlace ? [{ file_path: path, line, character }, ...inner] : inner;
}

/** Pastes every place of every answer into the next calls, and expects that each is a position of its file. */
export async function expectPastable(bridge: Bridge, questions: readonly ReadQuestion[]): Promise<number> {
  const pasted = new Set<string>();
  for (const { tool, input } of questions) {
    const { data, text } = await bridge.call(tool, input);
    for (const place of placesIn(data)) {
      if (pasted.has(JSON.stringify(place))) continue;
      pasted.add(JSON.stringify(place));
      for (const next of ['get_hover', 'find_definition']) {
        const { data: answer } = await bridge.call(next, place);
        const told = `${tool} ${JSON.stringify(input)} told ${JSON.stringify(place)} in\n${text}`;
        expect(positionErrors.has(codeOf(answer)), `${JSON.stringify(answer)}\n${told}`).toBe(false);
      }
    }
  }
  return pasted.size;
}

/** Nothing may be there to tell of; but that there is no such place is our fault. */
const positionErrors: ReadonlySet<unknown> = new Set(['invalid_input', 'outside_workspace', 'internal']);

function codeOf({ error }: Readonly<Record<string, unknown>>): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** Asks everything twice, and expects the same text and the same JSON. */
export async function expectSameTwice(bridge: Bridge, questions: readonly ReadQuestion[]): Promise<void> {
  for (const { tool, input } of questions) {
    const [first, second] = [await bridge.call(tool, input), await bridge.call(tool, input)];
    const told = `${tool} ${JSON.stringify(input)}`;
    expect(second.text, told).toBe(first.text);
    expect(JSON.stringify(second.data), told).toBe(JSON.stringify(first.data));
  }
}
