import { shellWord } from '../../core/wording/shell-words.ts';

/**
 * Returns the command that runs a server at the far end of another one. A shell there ends the server, and all that it
 * started, when its input ends: the process here that would do so cannot reach it.
 */
export function farCommand(
  via: readonly string[],
  command: readonly string[],
  isWindows: boolean,
): readonly string[] {
  const guarded = isWindows ? command : ['sh', '-c', guard, 'lspan-server', ...command];
  // ssh joins the words, and a shell there takes them apart again.
  return [...via, ...(isSsh(via) ? guarded.map(shellWord) : guarded)];
}

/** Returns whether a command gives its words to a shell at the far end. */
function isSsh([program = '']: readonly string[]): boolean {
  return /(?:^|[/\\])ssh(?:\.exe)?$/i.test(program);
}

/**
 * Passes the input on through a named pipe, to notice its end. A server has three seconds to end by itself; then the group
 * is killed. What a server leaves in the group is ended after it, and its exit code is passed on. The group may be that of
 * the command here, as with a sandbox; then only the server is killed. Without named pipes, the server is run as it is.
 */
const guard = `d=$(mktemp -d 2>/dev/null || TMPDIR=/tmp mktemp -d 2>/dev/null) && mkfifo "$d/in" 2>/dev/null || exec "$@"
read -r _ _ _ _ group _ </proc/$$/stat || group=
exec 3<&0
"$@" <"$d/in" 3<&- &
server=$!
[ "$group" = $$ ] && all=0 || all=$server
{ cat <&3 >"$d/in"; sleep 3; kill -s KILL $all; } >/dev/null 2>&1 &
guard=$!
exec 3<&-
wait $server
code=$?
rm -rf "$d"
kill -s KILL $guard 2>/dev/null
[ $all = 0 ] && trap "" TERM && kill -s TERM 0
exit $code`;
