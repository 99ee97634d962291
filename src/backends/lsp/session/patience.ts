import { limits } from '../../../core/limits.ts';

/** How long a server is waited for, in milliseconds. */
export interface Patience {
  /** Of a call, until it has loaded the project. */
  readonly readiness: number;
  /** For problems, when it is ready. */
  readonly diagnostics: number;
  /** For problems, when it is not known to be. */
  readonly diagnosticsCold: number;
}

/** What holds where nobody has set it. */
export const usualPatience: Patience = {
  readiness: limits.call.readiness,
  diagnostics: limits.diagnostics.warm,
  diagnosticsCold: limits.diagnostics.cold,
};
