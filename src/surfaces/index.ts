import { codeflow } from './codeflow.ts';
import { gateway } from './gateway/gateway.ts';
import { llxprt } from './llxprt/llxprt.ts';
import { lspan } from './lspan.ts';
import { pathfinder } from './pathfinder.ts';
import type { Surface } from './surface.ts';

/** Every surface under which the core is offered. */
export const surfaces: readonly Surface[] = [lspan, codeflow, pathfinder, gateway, llxprt];
