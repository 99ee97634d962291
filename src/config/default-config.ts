import { limits } from '../core/limits.ts';
import type { Config } from './config.ts';

/** Default configuration. */
export const defaultConfig: Config = {
  sources: [],
  servers: [],
  disabledServers: [],
  files: [],
  output: 'auto',
  toolsets: [],
  readOnly: false,
  daemon: false,
  confine: 'untrusted',
  logLevel: 'warn',
  logFormat: 'human',
  deadline: limits.call.deadline,
  deadlines: {},
  maxTokens: limits.tokens.default,
  limits: {
    ...limits.servers,
    readiness: limits.call.readiness,
    diagnostics: limits.diagnostics.warm,
    diagnosticsCold: limits.diagnostics.cold,
    document: limits.document,
    page: limits.results.page,
    answers: limits.answers.bytes,
  },
  serve: {
    port: 3939,
    host: '127.0.0.1',
    endpoint: '/mcp',
    allowOrigins: [],
    sessions: true,
    protocol: undefined,
    surface: 'lspan',
    additionalRoots: [],
  },
  index: { store: 'embedded', tenant: '' },
  cache: { share: true },
  exclude: [],
  warnings: [],
};
