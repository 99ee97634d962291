import type { Completed, CompletedCommand } from './completed-command.ts';

/** Returns the completion for bash, 3.2 and later. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = [...commands.map(({ name }) => name), 'help', '--help', '--version'];
  return `# Completion of lspan for bash. Add this to ~/.bashrc: eval "$(lspan completions bash)"
_lspan() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  # bash cuts --flag=value at the equals sign.
  if [ "$before" = '=' ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  if [ "$word" = '=' ]; then word=''; fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${names.join(' ')}' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
    help) words='${commands.map(({ name }) => name).join(' ')} single' ;;
${commands.map(branch).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _lspan lspan
`;
}

function branch({ name, flags, words }: CompletedCommand): string {
  const values = flags.flatMap(({ name: long, short, value }) =>
    value === undefined
      ? []
      : [`        --${long}${short === undefined ? '' : ` | -${short}`}) ${forValue(value)} ;;`],
  );
  const all = flags.map(({ name: long }) => `--${long}`);
  const offered = typeof words === 'string' ? [] : words;
  const cases = values.length === 0 ? [] : ['      case "$before" in', ...values, '      esac'];
  return [
    `    ${name})`,
    ...cases,
    `      case "$word" in -*) words='${all.join(' ')}' ;; *) words='${offered.join(' ')}' ;; esac`,
    '      ;;',
  ].join('\n');
}

/** An empty reply leaves paths to the shell itself, which quotes them. */
function forValue(value: Completed): string {
  if (typeof value === 'string') return 'return';
  return `COMPREPLY=($(compgen -W '${value.join(' ')}' -- "$word")); return`;
}
