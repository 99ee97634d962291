import { LspanError } from '../../core/errors.ts';
import { shellWord } from '../../core/wording/shell-words.ts';

/** The command of `--via`, and the program at its far end. */
export interface FarProgram {
  readonly command: readonly string[];
  readonly program: readonly string[];
}

/** Why lspan at the far end cannot be used, if it was not there, or what came instead. */
export interface FarFailure {
  /** The exit code of the command, or the signal that ended it; `undefined` if it has not ended. */
  readonly ended: number | string | undefined;
  /** The last line that it wrote to stderr, or instead of a greeting. */
  readonly said: string;
}

/** Returns the error of a command that ended, or was silent, before lspan answered at its far end. */
export function notReached(far: FarProgram, { ended: code, said }: FarFailure): LspanError {
  const words = said === '' ? '' : `: ${said}`;
  const shown = showCommand(far.command);
  // 127 is a shell's word for a program that is not there, 126 that of docker and kubectl.
  if (code === 127 || (code === 126 && /not found|no such file/i.test(said)))
    return new LspanError(
      'not_installed',
      `${showCommand(far.program)} is not at the far end of ${shown} (exit code ${code}${words}).`,
      { nextStep: howToBring(far) },
    );
  // Any lspan without this command ends with the code for an unknown one.
  if (code === 2 && /unknown command/i.test(said))
    return new LspanError('not_installed', `lspan at the far end of ${shown} is an older one.`, {
      nextStep: howToBring(far),
    });
  const ended =
    code === undefined
      ? 'did not greet in time'
      : `ended with ${typeof code === 'number' ? 'code ' : ''}${code}`;
  return new LspanError('server_crashed', `The command ${shown} ${ended}${words}.`, {
    nextStep: `Run it by hand until it needs no question answered: ${shown} ${showCommand(far.program)} --version`,
  });
}

/** Returns the error of a far end that is another build: answers would be of other code than the list of tools. */
export function otherBuild(
  far: FarProgram,
  here: { readonly version: string; readonly build: string },
  there: { readonly version: string; readonly build: string },
): LspanError {
  return new LspanError(
    'not_installed',
    `lspan at the far end of ${showCommand(far.command)} is ${there.version} (build ${there.build}), and here ${here.version} (build ${here.build}).`,
    { nextStep: howToBring(far) },
  );
}

/** Returns the error of a program on this machine that was replaced while it ran. */
export function replacedHere(): LspanError {
  return new LspanError(
    'not_installed',
    'lspan on this machine was replaced while it ran, and the far end is new.',
    {
      nextStep: 'Start your client again.',
    },
  );
}

/** Returns the error of a command that is not on this machine. */
export function noCommand(name: string): LspanError {
  return new LspanError('not_installed', `The program ${shellWord(name)} of --via is not on your PATH.`, {
    nextStep: `Install ${shellWord(name)} on this machine, or give its absolute path.`,
  });
}

/** Returns the commands that bring this build to the far end, and the flag that uses it there. */
function howToBring({ command }: FarProgram): string {
  // A command of ssh begins in the home folder; that of a container anywhere, perhaps in a repository.
  const place = /(?:^|[/\\])ssh(?:\.exe)?$/.test(command[0] ?? '') ? 'lspan.cjs' : '/tmp/lspan.cjs';
  const copy = `lspan bundle lspan.cjs && ${showCommand(command)} sh -c 'cat >${place}' <lspan.cjs`;
  return `Run: ${copy}   Then add: --via-program "node ${place}"`;
}

/** Returns words as one would type them. */
export function showCommand(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
