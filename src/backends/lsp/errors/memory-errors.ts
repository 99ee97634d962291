import { LspanError } from '../../../core/errors.ts';
import type { ServerDefinition } from '../../../servers/definition.ts';

/** The memory of all running servers together, in bytes. */
export interface MemoryUse {
  readonly servers: number;
  readonly used: number;
  readonly most: number;
}

type Named = Pick<ServerDefinition, 'id'>;

/** Error: the server exceeded its memory limit. */
export function memoryExceeded({ id }: Named, used: number, most: number): LspanError {
  const message = `${id} and its child processes used ${megabytes(used)} of memory (limit: ${megabytes(most)}) and were stopped.`;
  return new LspanError('memory_limit', message, {
    retryable: true,
    nextStep: `Ask about less at once, or let the user raise memory_mb, under [limits] or for ${id}, in the user configuration.`,
  });
}

/** Error: the server used the most of all busy ones when they exceeded the limit of all. */
export function budgetExceeded({ id }: Named, used: number, all: MemoryUse): LspanError {
  const message = `${id} and its child processes used ${megabytes(used)} of memory and were stopped: ${renderUse(all, 'used')}.`;
  return new LspanError('memory_limit', message, {
    retryable: true,
    nextStep: `Ask about less at once, or ${raise}.`,
  });
}

/** Error: the server cannot start beside the busy ones. */
export function noMemoryLeft({ id }: Named, needed: number, busy: MemoryUse): LspanError {
  const others = renderUse(busy, 'used about', 'busy ');
  const message = `${id} needs about ${megabytes(needed)} of memory to start, but ${others}.`;
  return new LspanError('busy', message, { nextStep: `Call again in a moment, or ${raise}.` });
}

/** Why an idle server was stopped: for another one, or because all use too much. */
export function stoppedForMemory(all: MemoryUse, newcomer?: Named & { readonly needed: number }): string {
  if (!newcomer) return `Stopped while idle: ${renderUse(all, 'used')}.`;
  const { id, needed } = newcomer;
  return `Stopped while idle, for ${id} to start with about ${megabytes(needed)}: ${renderUse(all, 'used about')}.`;
}

/** Why an idle server was stopped although all servers kept to their limit. */
export const stoppedForPressure = 'Stopped while idle: the system was short of memory.';

const raise = 'let the user raise servers_memory_mb, under [limits] in the user configuration';

/** `used about` stands for figures of which some are expected and not measured. */
function renderUse(
  { servers, used, most }: MemoryUse,
  verb: 'used' | 'used about',
  kind: 'busy ' | '' = '',
): string {
  const subject = `${servers} ${kind}language server${servers === 1 ? '' : 's'}`;
  return `${subject} ${verb} ${megabytes(used)} (limit of all: ${megabytes(most)})`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MB`;
}
