import type { Completed, CompletedCommand, CompletedFlag } from './completed-command.ts';

/** Returns the completion for fish. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name);
  return [
    '# Completion of lspan for fish. Run once: lspan completions fish > ~/.config/fish/completions/lspan.fish',
    'complete -c lspan -f',
    ...commands.map(({ name, about }) => offer('__fish_use_subcommand', `-a ${name} -d ${quoted(about)}`)),
    offer('__fish_use_subcommand', `-a help -d ${quoted('the flags of a command')}`),
    offer('__fish_use_subcommand', `-l version -d ${quoted('the version')}`),
    offer(after('help'), `-a ${quoted([...names, 'single'].join(' '))}`),
    ...commands.flatMap(({ name, flags, words }) => [
      ...flags.map((flag) => offer(after(name), flagWords(flag))),
      ...(words === 'none' ? [] : [offer(after(name), offered(words))]),
    ]),
    '',
  ].join('\n');
}

function after(command: string): string {
  return `__fish_seen_subcommand_from ${command}`;
}

function offer(condition: string, what: string): string {
  return `complete -c lspan -n ${quoted(condition)} ${what}`;
}

function flagWords({ name, short, help, value }: CompletedFlag): string {
  return [
    `-l ${name}`,
    ...(short === undefined ? [] : [`-s ${short}`]),
    ...(value === undefined ? [] : [value === 'files' ? '-r' : '-x']),
    ...(value === undefined || value === 'none' ? [] : [offered(value)]),
    `-d ${quoted(help)}`,
  ].join(' ');
}

function offered(value: Completed): string {
  if (value === 'folders') return "-a '(__fish_complete_directories)'";
  if (value === 'files') return '-F';
  return value === 'none' ? '' : `-a ${quoted(value.join(' '))}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
