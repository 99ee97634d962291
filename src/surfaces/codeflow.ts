import { tools } from '../tools/index.ts';
import { type AdaptOptions, adaptTool } from './adapt-tool.ts';
import { codeflowBatch } from './codeflow-batch.ts';
import { answerEachCandidate } from './codeflow-candidates.ts';
import { renderCodeflowError } from './codeflow-errors.ts';
import { codeflowRows } from './codeflow-tools.ts';
import { shiftFields, shiftOwnFields } from './shift-characters.ts';
import type { Surface } from './surface.ts';

/** Lines count from 1 and characters from 0, in and out; answers are indented JSON. */
const conventions: AdaptOptions = {
  // Line 0 can only be counted from 0. The tools read it so, characters too, or refuse it.
  read: (given) => (given.line === 0 ? given : shiftOwnFields(given, 1)),
  render: (data) => {
    const shifted = shiftFields(data, -1);
    return { text: JSON.stringify(shifted, null, 2), data: shifted };
  },
  renderError: renderCodeflowError,
  // Indentation takes about half as much as the rest.
  share: 0.6,
};

const singleTools = codeflowRows.flatMap(({ eachCandidate, ...row }) => {
  const tool = tools.find(({ name }) => name === row.of);
  return tool ? [adaptTool(eachCandidate ? answerEachCandidate(tool) : tool, row, conventions)] : [];
});

/** The tools of Codeflow Buddy's documents, for its users. */
export const codeflow: Surface = {
  name: 'codeflow',
  serverName: 'codeflow',
  instructions:
    'Code navigation, symbols, intelligence, quality and file operations by real language servers. ' +
    'In fields, lines count from 1 and characters from 0; positions in messages (`file:line:column`) count both from 1. ' +
    'Tools that read answer for every symbol of an ambiguous name; those that change files refuse it. ' +
    'Tools that change files do so at once, all or nothing, unless `dry_run`; `lspan undo` reverts a change.',
  tools: [...singleTools, codeflowBatch(singleTools)],
  prompts: [],
  resources: false,
};
