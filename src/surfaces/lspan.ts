import { hookTools, tools } from '../tools/index.ts';
import { prompts } from './prompts.ts';
import type { Surface } from './surface.ts';

/** The default surface: the tools as they are. */
export const lspan: Surface = {
  name: 'lspan',
  serverName: 'lspan',
  instructions:
    'lspan asks language servers about this workspace. For code, prefer it over text search: definitions, uses, types, ' +
    'outlines and problems are exact and fresh against the disk; search text for words in comments and prose. ' +
    'Name a symbol (`Server.run`) or give file_path, line and character, 1-based; locations in answers can be pasted ' +
    'into the next call. A long answer ends in a cursor: pass just that to go on. An answer without doubts is complete. ' +
    'After editing files, ask get_diagnostics. Tools that change files preview first: apply by plan_id. ' +
    'If a language does not answer, ask get_server_status.',
  tools,
  hookTools,
  prompts,
  resources: true,
};
