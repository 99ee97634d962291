import type { Log } from '../../core/log.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Patience } from './patience.ts';
import type { FindSlot } from './relays.ts';
import type { ProjectFacts, ServerDefinition } from './server-definition.ts';
import type { ServerProcess } from './server-process.ts';
import type { Trusts } from './withholding.ts';

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
