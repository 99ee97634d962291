import { version } from '../../version.ts';
import { commandHelps } from './command-helps.ts';
import { type CommandName, type Flag, flagsOf } from './flags.ts';
import { columns, wrapped } from './wrapped.ts';

/** Returns the help on lspan, or on one command. */
export function helpText(topic?: CommandName): string {
  return topic === undefined ? overview() : commandHelp(topic);
}

function overview(): string {
  const rows = Object.values(commandHelps).map(
    ({ usage, brief, about }) => [brief ?? usage.replace(' [FLAG…]', ''), about] as const,
  );
  const others = [['lspan help COMMAND', 'the flags of a command; single for -e … -s …']] as const;
  return [
    `lspan ${version} (lspan --version): what language servers know, for coding agents`,
    ...columns([...rows, ...others]),
    '',
  ].join('\n');
}

function commandHelp(name: CommandName): string {
  const { usage, about, notes, examples } = commandHelps[name];
  const rows = flagsOf(name).map((flag) => [flagUsage(flag), flagHelp(flag, name)] as const);
  const text = [
    ...wrapped(`${usage}: ${about}`),
    ...['', ...columns(rows)],
    ...['', ...wrapped(notes.join(' '))],
    ...['', 'Examples', ...examples.map((example) => `  ${example}`)],
  ];
  return `${text.join('\n')}\n`;
}

function flagUsage({ name, short, value }: Flag): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

function flagHelp({ help, choices, repeatable }: Flag, command: CommandName): string {
  const listed = choices === undefined ? help : `${help}: ${choices.join(', ')}`;
  return repeatable?.includes(command) ? `${listed}; may be repeated` : listed;
}
