import type { Completed, CompletedCommand, CompletedFlag } from './completed-command.ts';

/** Returns the completion for zsh, to be sourced or put into a folder of `fpath`. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, about }) => quoted(`${name}:${about}`));
  return `#compdef lspan
# Completion of lspan for zsh. Add this to ~/.zshrc, after compinit: eval "$(lspan completions zsh)"
_lspan() {
  local -a commands
  commands=(
${[...described, quoted('help:the flags of a command')].map((line) => `    ${line}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe -t commands command commands ;;
${commands.map(branch).join('\n')}
  esac
}
if [[ "$funcstack[1]" == _lspan ]]; then _lspan "$@"; else compdef _lspan lspan; fi
`;
}

function branch({ name, flags, words }: CompletedCommand): string {
  const specs = [...flags.map(flagSpec), ...(words === 'none' ? [] : [quoted(`*: :${action(words)}`)])];
  return [
    `    ${name})`,
    '      _arguments \\',
    specs.map((spec) => `        ${spec}`).join(' \\\n'),
    '      ;;',
  ].join('\n');
}

/** The form of `_arguments`, where brackets and colons have a meaning. */
function flagSpec({ name, short, help, value }: CompletedFlag): string {
  const told = help.replace(/[[\]\\]/g, '\\$&');
  const taken = value === undefined ? '' : `: :${action(value)}`;
  const rest = quoted(`[${told}]${taken}`);
  return short === undefined ? quoted(`*--${name}[${told}]${taken}`) : `'*'{-${short},--${name}}${rest}`;
}

function action(value: Completed): string {
  if (value === 'folders') return '_files -/';
  if (value === 'files') return '_files';
  return value === 'none' ? ' ' : `(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
