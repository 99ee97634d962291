import { z } from 'zod';
import { LspanError } from '../core/errors.ts';
import { fromLineColumn } from '../core/position.ts';
import { object } from '../core/runtime/json.ts';
import { defineTool } from '../tools/run/define-tool.ts';
import type { Outcome, Tool } from '../tools/run/tool.ts';
import { logInsteadOfStatus } from './reword-status.ts';
import type { Surface } from './surface.ts';

const position = z.object({ line: z.int(), character: z.int() });

/** The one tool of pathfinder: 0-based positions and URIs, in and out. */
const parts = defineTool({
  name: 'definition',
  title: 'Go to definition',
  toolset: 'navigation',
  listed: true,
  description:
    'Go to the definition of the symbol at a 0-based position of a file URI. Answers [{uri, range}].',
  input: z.strictObject({ uri: z.string().min(1), line: z.int().min(0), character: z.int().min(0) }),
  output: z.object({
    definitions: z.array(z.object({ uri: z.string(), range: z.object({ start: position, end: position }) })),
  }),
  effects: 'none',
  async answer({ workspace, backend }, { uri, line, character }, call) {
    const path = await workspace.resolve(uri);
    const document = await workspace.read(path);
    if (line >= document.lineCount) throw pastTheEnd(line, document.lineCount);
    const place = { path, position: fromLineColumn({ line: line + 1, character: character + 1 }) };
    const { answer, doubts } = await backend.ask({ kind: 'definition', place }, call);
    const definitions = answer.map((span) => ({ uri: workspace.uri(span.path), range: span.range }));
    return { data: { definitions }, total: definitions.length, doubts };
  },
  render: ({ definitions }) => JSON.stringify(definitions),
  count: ({ definitions }) => definitions.length,
  cut: ({ definitions }, keep) => ({ definitions: definitions.slice(0, keep) }),
});

/** Rewords advice that names other tools, and puts doubts after the JSON, which is the first line in any case. */
const definition: Tool = {
  ...parts,
  async run(context, given, options) {
    const outcome = await parts.run(context, given, options);
    return { ...outcome, text: pathfinderWords(outcome.text), data: rewordError(outcome.data) };
  },
};

function rewordError(data: Outcome['data']): Outcome['data'] {
  const { next_step, message, ...error } = object(data.error);
  if (typeof next_step !== 'string') return data;
  const reworded = { message: pathfinderWords(String(message)), next_step: pathfinderWords(next_step) };
  return { ...data, error: { ...error, ...reworded } };
}

function pathfinderWords(text: string): string {
  return pathfinderPhrases.reduce((reworded, [ours, theirs]) => reworded.replaceAll(ours, theirs), text);
}

/** Advice that only our tools allow, and what can be done with this one instead. */
export const pathfinderPhrases: readonly (readonly [ours: string, theirs: string])[] = [
  ['Use another tool, or search the text instead.', 'Search the text instead.'],
  ...logInsteadOfStatus,
];

/** pathfinder's surface, for the `-s` form: one given server and one tool. */
export const pathfinder: Surface = {
  name: 'pathfinder',
  serverName: 'pathfinder',
  instructions: 'definition answers where the symbol at a 0-based position of a file URI is defined.',
  tools: [definition],
  prompts: [],
  resources: false,
};

function pastTheEnd(line: number, lines: number): LspanError {
  return new LspanError('invalid_input', `There is no line ${line}: the file has ${lines}, counted from 0.`);
}
