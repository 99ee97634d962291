import { describe, expect, it } from 'vitest';
import type { Folders } from '../campaigns/servers/folders.ts';
import { judgeTrace } from '../campaigns/servers/judge-trace.ts';
import { readTrace } from '../campaigns/servers/read-trace.ts';

const trace = `10 execve("/usr/bin/node", ["node", "dist/bin.js", "mcp", "--workspace"], 0xff /* 9 vars */) = 0
10 clone(child_stack=0x1, flags=CLONE_VM|CLONE_THREAD, parent_tid=[11]) = 11
11 openat(AT_FDCWD</repo>, "a.ts", O_RDONLY|O_CLOEXEC) = 5</repo/a.ts>
11 openat(AT_FDCWD</repo>, "a.ts", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 5</repo/a.ts>
10 vfork( <unfinished ...>
12 chdir("/repo/sub") = 0
12 execve("./evil", ["./evil"], 0xff /* 9 vars */) = -1 ENOENT (No such file or directory)
12 execve("/bin/sh", ["/bin/sh", "-c", "exec \\"$@\\"", "lspan-server"], 0xff /* 9 vars */ <unfinished ...>
10 <... vfork resumed>) = 12
12 <... execve resumed>) = 0
12 clone(child_stack=NULL, flags=CLONE_CHILD_SETTID|SIGCHLD) = 2 /* 13 in strace's PID NS */
13 connect(3<UNIX:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0
13 connect(3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("1.2.3.4")}, 16) = -1 EINPROGRESS (Operation now in progress)
13 mkdirat(4</home>, "made", 0777) = 0
13 symlinkat("/etc/passwd", AT_FDCWD</repo>, "link") = 0
13 unlinkat(AT_FDCWD</repo>, "gone", 0 <unfinished ...>
13 <... unlinkat resumed>) = -1 ENOENT (No such file or directory)
13 ftruncate(7</cache/lspan/x>, 0) = 0
13 +++ exited with 0 +++
`;

describe('the trace of a campaign', () => {
  const calls = readTrace(trace, '/repo');

  it('tells runs, connections and writes, with their paths and who made them', () => {
    const told = calls.map(({ kind, call, paths, failure, program, isFirst }) =>
      [kind, call, ...paths, failure, program, isFirst ? 'lspan' : '']
        .filter((part) => part !== '')
        .join(' '),
    );
    expect(told).toEqual([
      'run execve /usr/bin/node lspan',
      'write openat /repo/a.ts /usr/bin/node lspan',
      'run execve /repo/sub/evil ENOENT /usr/bin/node',
      'run execve /bin/sh /usr/bin/node',
      'connection connect EINPROGRESS /bin/sh',
      'write mkdirat /home/made /bin/sh',
      'write symlinkat /repo/link /bin/sh',
      'write unlinkat /repo/gone ENOENT /bin/sh',
      'write ftruncate /cache/lspan/x /bin/sh',
    ]);
  });

  it('is judged by what lspan and its servers may do', () => {
    const judged = { folders, server: 'typescript', confine: 'never' } as const;
    expect(judgeTrace(calls, judged).map(({ kind, text }) => `${kind} ${text.split('(')[0]}`)).toEqual([
      'run execve',
      'connection connect',
      'write mkdirat',
      'write symlinkat',
      'write unlinkat',
    ]);
    const confined = judgeTrace(calls, { ...judged, confine: 'always' });
    expect(confined.map(({ kind, text }) => `${kind} ${text.split('(')[0]}`)).toEqual([
      'run execve',
      'write mkdirat',
      'write symlinkat',
    ]);
  });
});

const folders: Folders = {
  all: '/all',
  root: '/repo',
  outside: '/outside',
  home: '/home',
  cache: '/cache',
  state: '/state',
  temporary: '/tmp/own',
  trace: '/trace',
};
