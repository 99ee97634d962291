// Generated: UPDATE_GOLDEN=1 npx vitest run test/library/from-schemas.test.ts
import type { Doubt } from '../../core/doubts.ts';
import type { SymbolKind } from '../../core/symbol-kinds.ts';

/** Fields that every answer has besides its payload. */
export interface Told {
  readonly complete: boolean;
  readonly doubts: readonly Doubt[];
  readonly total?: number;
  readonly returned?: number;
  readonly next_cursor?: string;
  readonly adjusted?: string;
}

/** A location in a file. Lines and characters are 1-based; the end is exclusive. */
export interface CodeLocation {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text?: string;
  readonly in?: string;
  readonly external?: 'library' | 'outside' | 'repository';
  readonly clamped?: true;
}

/** A place where the name occurs that is not a use of the symbol, or not one that a server knows. */
export interface CodeMention {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text?: string;
  readonly clamped?: true;
  readonly reason: 'unverified' | 'not_in_a_project' | 'string' | 'other_language' | 'comment' | 'other_symbol';
}

/** A problem of a file, with its location. */
export interface CodeProblem {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text?: string;
  readonly external?: 'library' | 'outside' | 'repository';
  readonly clamped?: true;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
  readonly message: string;
  readonly code?: string;
  readonly source?: string;
}

/** The symbol whose callers, callees or types were requested. */
export interface HierarchyRoot {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text?: string;
  readonly in?: string;
  readonly external?: 'library' | 'outside' | 'repository';
  readonly clamped?: true;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly found: Readonly<Record<string, number>>;
}

/** A symbol below another in a hierarchy. */
export interface HierarchyEntry {
  readonly file_path: string;
  readonly line: number;
  readonly character: number;
  readonly end_line: number;
  readonly end_character: number;
  readonly text?: string;
  readonly in?: string;
  readonly external?: 'library' | 'outside' | 'repository';
  readonly clamped?: true;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly depth: number;
  readonly direction: string;
  readonly root?: number;
  readonly below?: readonly string[];
  readonly sites?: readonly CodeLocation[];
  readonly more_sites?: number;
  readonly cut?: 'cycle' | 'repeated' | 'many' | 'late' | 'failed';
}

/** The effect of a change on one file. */
export interface ChangedFile {
  readonly file_path: string;
  readonly change: 'edit' | 'create' | 'delete' | 'rename';
  readonly new_path?: string;
  readonly edits: number;
  readonly link_broken?: true;
}

/** A checked and previewed change, which can be applied by its id. */
export interface ChangePlan {
  readonly plan_id: string;
  readonly title: string;
  readonly files: readonly ChangedFile[];
  readonly diff: string;
  readonly confirm?: readonly string[];
  readonly incomplete?: true;
  readonly introduced?: readonly CodeProblem[];
  readonly introduced_counts?: Readonly<Record<string, number>>;
  readonly fixed?: readonly CodeProblem[];
  readonly fixed_count?: number;
  readonly settled?: boolean;
  readonly not_settled?: readonly string[];
  readonly unsettled_because?: readonly string[];
}

/** An applied change, which can be undone by its id. */
export interface AppliedEdit {
  readonly edit_id: string;
  readonly title: string;
  readonly files: readonly ChangedFile[];
  readonly undoes?: string;
  readonly warning?: string;
  readonly introduced?: readonly CodeProblem[];
  readonly introduced_counts?: Readonly<Record<string, number>>;
  readonly fixed?: readonly CodeProblem[];
  readonly fixed_count?: number;
  readonly settled?: boolean;
  readonly not_settled?: readonly string[];
  readonly unsettled_because?: readonly string[];
}

/** A change of an atomic batch, applied together with the others. */
export interface ChangeStep {
  readonly title: string;
  readonly files: readonly ChangedFile[];
}

/** The outcome for one server. */
export interface ChangedServer {
  readonly id: string;
  readonly root: string;
  readonly outcome: 'restarted' | 'stopped' | 'not_running' | 'failed';
  readonly state?: string;
  readonly pid?: number;
  readonly error?: string;
}
