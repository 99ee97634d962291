import { commandHelps } from '../command-helps.ts';
import { type CommandName, commandNames, type Flag, flagsOf } from '../flags.ts';

/** What a shell offers after the name of a command. */
export interface CompletedCommand {
  readonly name: Exclude<CommandName, 'single'>;
  readonly about: string;
  readonly flags: readonly CompletedFlag[];
  readonly words: Completed;
}

/** A flag as a shell offers it. */
export interface CompletedFlag extends Pick<Flag, 'name' | 'short' | 'help'> {
  /** Absent if it takes no value. */
  readonly value?: Completed;
}

/** Words to choose from, or what kind of path it is; `none` where nothing can be offered. */
export type Completed = readonly string[] | 'folders' | 'files' | 'none';

/** The words of commands that are known from elsewhere. */
export type KnownWords = Readonly<Partial<Record<CommandName, Completed>>>;

/** Returns the commands with their flags, as the parser knows them. */
export function completedCommands(words: KnownWords): readonly CompletedCommand[] {
  return commandNames
    .filter((name) => name !== 'single')
    .map((name) => ({
      name,
      about: commandHelps[name].about,
      flags: flagsOf(name).map(completedFlag),
      words: words[name] ?? 'none',
    }));
}

function completedFlag({ name, short, help, value, choices }: Flag): CompletedFlag {
  return {
    ...{ name, help },
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value: choices ?? kinds.get(value) ?? 'none' }),
  };
}

/** What the placeholders of values stand for. */
const kinds: ReadonlyMap<string, Completed> = new Map([
  ['DIR', 'folders'],
  ['FILE', 'files'],
]);
