import type { Log } from '../../../core/log.ts';
import type { ProjectFacts, ServerDefinition } from '../../../servers/definition.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { ServerProcess } from '../process/server-process.ts';
import type { Patience } from './patience.ts';
import type { FindSlot } from './server-relay.ts';
import type { Trusts } from './trust-gate.ts';

/** What a session is made of. */
export interface SessionParts {
  readonly definition: ServerDefinition;
  readonly root: string;
  /** The folders of the work, as the server is told them. */
  readonly folders: readonly string[];
  readonly workspace: Workspace;
  readonly process: ServerProcess;
  readonly facts: ProjectFacts;
  readonly trusts: Trusts;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly initializationOptions: unknown;
  readonly version: string;
  readonly log: Log;
  /** How long it is waited for; lspan's own bounds when absent. */
  readonly patience?: Patience;
  readonly trace?: (direction: 'to_server' | 'from_server', message: unknown) => void;
  readonly onProblems: (path: string) => void;
  readonly findSlot: FindSlot;
}
