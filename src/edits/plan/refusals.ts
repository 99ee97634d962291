import { type ErrorCode, LspanError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import { mebibytes } from '../../core/wording/mebibytes.ts';
import { quotePath } from '../../core/wording/quote-path.ts';

/** The errors of a refused plan: each names the file, and says that nothing was written. */
export interface Refusals {
  /** @param wrong The fault of the file, as the rest of a sentence that begins with its name. */
  file(path: string, wrong: string): LspanError;
  /** @param wrong The fault of an edit, as the rest of a sentence about it; the line is 0-based. */
  edit(path: string, line: number, wrong: string): LspanError;
  /** @param isAll True if the change touches nothing else: then it may be meant for another worktree. */
  outside(given: readonly string[], isAll?: boolean): LspanError;
  noFile(uri: string): LspanError;
  stale(paths: readonly string[]): LspanError;
  unsaved(paths: readonly string[]): LspanError;
  protected(paths: readonly string[]): LspanError;
  tooDeep(uri: string): LspanError;
  tooLarge(path: string): LspanError;
  tooManyFiles(): LspanError;
  tooManyBytes(): LspanError;
}

/** Returns the errors for one workspace; `show` formats its paths. */
export function refusalsFor(show: (path: string) => string): Refusals {
  const quote = (path: string) => quotePath(show(path));
  return {
    file: (path, wrong) => refusal('refused', `${quote(path)} ${wrong}.`, changeOtherwise),
    edit: (path, line, wrong) => {
      const place = quotePath(`${show(path)}:${line + 1}`);
      return refusal('refused', `An edit at ${place} ${wrong}.`, askAgain);
    },
    outside: (given, isAll = false) =>
      refusal(
        'outside_workspace',
        `The change touches ${several(given.toSorted().map(quotePath))}, outside the workspace.`,
        'Omit it; lspan writes only inside the workspace.',
        isAll ? given[0] : undefined,
      ),
    noFile: (uri) =>
      refusal('refused', `${quotePath(uri)} is not a file: only file: URIs can be changed.`, changeOtherwise),
    stale: (paths) =>
      refusal(
        'stale',
        `${several(paths.map(quote))} changed on disk after the change was computed.`,
        askAgain,
      ),
    unsaved: (paths) =>
      refusal(
        'refused',
        `The change touches ${several(paths.map(quote))}, which has unsaved text in the program around lspan.`,
        'Nothing was written. Save or release it there, then call again.',
      ),
    protected: (paths) =>
      refusal(
        'protected',
        `The change touches ${several(paths.map(quote), paths.length)}, which decides what runs on this machine.`,
        'If the user wants that, call again with each of these paths in allow_protected.',
      ),
    tooDeep: (uri) =>
      refusal(
        'limit_exceeded',
        `${quotePath(uri)} is more than ${limits.path.levels} folders deep.`,
        changeOtherwise,
      ),
    tooLarge: (path) =>
      refusal('limit_exceeded', `${quote(path)} is larger than ${mebibytes(limits.edit.document)}.`, smaller),
    tooManyFiles: () =>
      refusal('limit_exceeded', `The change touches more than ${limits.edit.files} files.`, smaller),
    tooManyBytes: () =>
      refusal(
        'limit_exceeded',
        `The change touches files of more than ${mebibytes(limits.edit.bytes)} in all.`,
        smaller,
      ),
  };
}

const changeOtherwise = 'Nothing was written. Ask for another change, or do this part another way.';
const askAgain = 'Nothing was written. Call again to compute the change again.';
const smaller = 'Nothing was written. Make the change in smaller parts.';

function refusal(code: ErrorCode, message: string, nextStep: string, outside?: string): LspanError {
  return new LspanError(code, message, { nextStep, ...(outside === undefined ? {} : { outside }) });
}

function several(names: readonly string[], most: number = limits.named.files): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
