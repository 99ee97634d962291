import { tools } from '../tools/index.ts';
import { prompts } from './prompts.ts';
import type { Surface } from './surface.ts';

/** The default surface: the tools as they are. */
export const lspan: Surface = {
  name: 'lspan',
  serverName: 'lspan',
  instructions:
    'lspan asks real language servers about this workspace. Prefer it over text search for code: definitions, ' +
    'uses, types, outlines and problems are exact, fresh against the disk at every call, and carry the line of code. ' +
    'Name a symbol (`Server.run`) or give file_path, line and character, all 1-based; every location in an answer ' +
    'can be pasted into the next call. An answer without doubts is complete. After editing files, ask get_diagnostics. ' +
    'Tools that change files preview first: apply by plan_id. ' +
    'If a language does not answer, get_server_status says what is missing.',
  tools,
  prompts,
  resources: true,
};
