import { defaultConfig } from '../src/config/default-config.ts';

/** Configuration for where it is proven what a real server answers, not how fast: the machine may have much else to do. */
export const patient = {
  deadline: 200_000,
  limits: { ...defaultConfig.limits, readiness: 120_000, diagnostics: 100_000, diagnosticsCold: 100_000 },
};
