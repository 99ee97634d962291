import { tools } from '../tools/index.ts';
import { type AdaptOptions, adaptTool } from './adapt-tool.ts';
import { codeflowError } from './codeflow-errors.ts';
import { codeflowRows } from './codeflow-tools.ts';
import { shiftFields, shiftOwnFields } from './shift-characters.ts';
import type { Surface } from './surface.ts';

/** Lines count from 1 and characters from 0, in and out; answers are JSON that is easy on the eye. */
const manner: AdaptOptions = {
  // A line 0 can only be meant from 0, and is read so by the tools, or refused: then the characters are as these have them.
  read: (given) => (given.line === 0 ? given : shiftOwnFields(given, 1)),
  tell: (data) => {
    const shifted = shiftFields(data, -1);
    return { text: JSON.stringify(shifted, null, 2), data: shifted };
  },
  tellError: codeflowError,
  // Indentation takes about as much as a half of the rest.
  share: 0.6,
};

/** The tools of Codeflow Buddy's documents, for who has used those. */
export const codeflow: Surface = {
  name: 'codeflow',
  serverName: 'codeflow',
  instructions:
    'Code navigation, symbols, intelligence, quality and file operations by real language servers. ' +
    'In fields, lines count from 1 and characters from 0; positions in messages (`file:line:column`) count both from 1. ' +
    'Tools that change files do so at once, all or nothing, unless `dry_run`; `lspan undo` takes a change back.',
  tools: codeflowRows.flatMap((row) => {
    const tool = tools.find(({ name }) => name === row.of);
    return tool ? [adaptTool(tool, row, manner)] : [];
  }),
  prompts: [],
  resources: false,
};
