import { limits } from '../core/limits.ts';
import type { Config } from './config.ts';

/** What holds where nobody has set anything. */
export const defaultConfig: Config = {
  servers: [],
  disabledServers: [],
  output: 'auto',
  toolsets: [],
  readOnly: false,
  logLevel: 'warn',
  logFormat: 'human',
  deadline: limits.call.deadline,
  maxTokens: limits.tokens.default,
  limits: limits.servers,
  exclude: [],
  warnings: [],
};
