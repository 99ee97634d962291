import { describe, expect, it } from 'vitest';
import { limits } from '../../../src/core/limits.ts';
import { commandIn, instructionHere, shellWord } from '../../../src/core/wording/shell-words.ts';
import { judgeNotice, judgeWorkspace } from '../../../src/frontends/doctor/examine.ts';
import { judgeDaemon } from '../../../src/frontends/doctor/examine-daemon.ts';
import { judgeEdits } from '../../../src/frontends/doctor/examine-edits.ts';
import { judgeFolder, judgeWatches } from '../../../src/frontends/doctor/examine-machine.ts';
import { judgeServer } from '../../../src/frontends/doctor/judge-server.ts';
import type { ExaminedServer, Finding, Probe } from '../../../src/frontends/doctor/report.ts';

const answered = { outcome: 'answered', ms: 20, found: 1 } as const;
const probe: Probe = {
  file_path: 'a.txt',
  symbol: 'alpha',
  steps: [
    { question: 'outline', ...answered, ms: 1200 },
    { question: 'definition', ...answered },
    { question: 'references', ...answered, found: 3 },
    { question: 'problems', ...answered, found: 0 },
  ],
  doubts: [],
};
const server: ExaminedServer = {
  id: 'fake',
  root: '/home/me/my project',
  languages: ['txt'],
  files: 3,
  state: 'ready',
  command: '/usr/bin/fake',
  origin: 'PATH',
  version: 'fake 1.0',
  trust: 'not_needed',
  confined: true,
  memory_mb: 40,
  probe,
};
const status = { lastErrors: [], lastWords: [], restarts: 0 };

function judged(change: Partial<ExaminedServer>, facts: object = {}, isNeeded = true): Finding {
  return judgeServer({ server: { ...server, ...change }, status: { ...status, ...facts }, isNeeded });
}

describe('the finding about a server', () => {
  it('is its times, memory, program and what it found, if it answers', () => {
    expect(judged({})).toEqual({
      area: 'server',
      subject: 'fake',
      level: 'ok',
      text: 'started 1.2 s, definition 20 ms, references 20 ms, problems 20 ms, 40 MB',
      details: [
        'fake 1.0, confined, /usr/bin/fake',
        'alpha in a.txt: 1 definition, 3 references, 0 problems',
      ],
    });
  });

  it('names the command of its own installation instruction if it is missing', () => {
    const { probe: _, ...missing } = { ...server, state: 'not_installed' };
    const install = 'Install it with `npm install --global fake`.';
    const facts = { server: missing, status: { ...status, install } };
    expect(judgeServer({ ...facts, isNeeded: true })).toMatchObject({
      level: 'error',
      text: 'not installed: no answers about txt (3 files)',
      next_step: 'npm install --global fake',
    });
    expect(judgeServer({ ...facts, isNeeded: false }).level).toBe('warning');
  });

  it('tells the whole instruction if it says more than a command, or has none', () => {
    const install = 'Install a kit, then `kit add fake`.';
    const told = judged({ state: 'not_installed' }, { install });
    expect(told).toMatchObject({ details: [install], next_step: 'kit add fake' });
    const link = 'It comes with the kit: https://kit.example';
    expect(judged({ state: 'not_installed' }, { install: link })).toMatchObject({ next_step: link });
  });

  it('names the command that trusts the folder, quoted for the shell', () => {
    const next_step = "lspan trust '/home/me/my project'";
    expect(judged({ state: 'not_trusted' })).toMatchObject({ level: 'error', next_step });
    expect(judged({ state: 'not_trusted' }, {}, false)).toMatchObject({ level: 'warning', next_step });
    const doubts = [{ kind: 'not_trusted', detail: 'Macros are off.' }] as const;
    expect(judged({ probe: { ...probe, doubts } })).toMatchObject({
      level: 'warning',
      details: expect.arrayContaining(['in doubt (not_trusted): Macros are off.']),
      next_step,
    });
  });

  it('is a warning if it answers, and only a program for problems is missing', () => {
    const doubts = [{ kind: 'server_unavailable', detail: 'fakecheck is missing.', server: 'fake' }] as const;
    expect(judged({ probe: { ...probe, doubts } })).toMatchObject({
      level: 'warning',
      details: expect.arrayContaining(['in doubt (server_unavailable): fakecheck is missing.']),
    });
    const [, , , problems] = probe.steps;
    const linter = { ...probe, steps: problems ? [problems] : [], doubts };
    expect(judged({ probe: linter })).toMatchObject({ level: 'error', text: 'fakecheck is missing.' });
  });

  it('is an error if a question fails, with what the server last said', () => {
    const error = { code: 'server_crashed', message: 'fake crashed.' };
    const steps = [{ question: 'outline', outcome: 'failed', ms: 5, error }] as const;
    const lastExit = { how: 'exit code 3', secondsAgo: 1, livedSeconds: 0 };
    const told = judged({ probe: { ...probe, steps } }, { lastWords: ['no such module'], lastExit });
    expect(told).toMatchObject({ level: 'error', text: 'fake crashed.' });
    expect(told.details).toEqual(
      expect.arrayContaining(['last exit: exit code 3, after 0 s', 'it wrote: no such module']),
    );
    expect(told.next_step).toBe("lspan doctor --workspace '/home/me/my project' --log-level debug");
  });

  it('is an error if a linter stays silent, which only a doubt tells', () => {
    const doubts = [{ kind: 'timed_out', server: 'fake', detail: 'fake did not answer.' }] as const;
    expect(judged({ probe: { ...probe, doubts } })).toMatchObject({
      level: 'error',
      text: 'fake did not answer.',
    });
  });

  it('is a warning if it was started again, still indexes, or knows nothing of its own symbol', () => {
    const lastExit = { how: 'it hung', secondsAgo: 1, livedSeconds: 9 };
    expect(judged({}, { restarts: 1, lastExit })).toMatchObject({
      level: 'warning',
      details: expect.arrayContaining(['it was started again: it hung']),
    });
    const doubts = [{ kind: 'indexing', server: 'fake', detail: 'It loads.' }] as const;
    expect(judged({ probe: { ...probe, doubts } })).toMatchObject({
      level: 'warning',
      next_step: "lspan doctor --workspace '/home/me/my project'",
    });
    const steps = probe.steps.map((step) => ({ ...step, found: 0 }));
    expect(judged({ probe: { ...probe, steps } })).toMatchObject({
      level: 'warning',
      details: expect.arrayContaining(['it knows no definition and no reference of alpha']),
    });
  });
});

describe('the finding about the machine', () => {
  it('is an error if all watches are in use, with the command that allows more', () => {
    expect(judgeWatches({ most: 1000, used: 10 })).toMatchObject({
      level: 'ok',
      text: '10 of 1,000 are in use',
    });
    expect(judgeWatches({ most: 1000 }).level).toBe('ok');
    expect(judgeWatches(undefined).level).toBe('ok');
    expect(judgeWatches({ most: 1000, used: 950 }).level).toBe('warning');
    expect(judgeWatches({ most: 1000, used: 1000 })).toMatchObject({
      level: 'error',
      next_step: 'sudo sysctl fs.inotify.max_user_watches=524288',
    });
  });

  const state = { area: 'state', path: '/s/lspan', roots: ['/w'], fix: false } as const;
  const fine = { exists: true, isWritable: true, free: 2 * 1024 ** 3 };

  it.each([
    [fine, 'ok', undefined],
    [{ ...fine, exists: false }, 'ok', undefined],
    [{ ...fine, free: limits.doctor.room.plenty - 1 }, 'warning', 'df -h /s/lspan'],
    [{ ...fine, free: limits.doctor.room.least - 1 }, 'error', 'df -h /s/lspan'],
    [
      { ...fine, isWritable: false, closed: { path: '/s/lspan', mayOpen: true } },
      'error',
      'chmod u+rwx /s/lspan',
    ],
    [
      { ...fine, exists: false, isWritable: false, closed: { path: '/s', mayOpen: true } },
      'error',
      'chmod u+rwx /s',
    ],
    [
      { ...fine, exists: false, isWritable: false, closed: { path: '/s', mayOpen: false } },
      'error',
      'Set XDG_STATE_HOME to a folder that you can write.',
    ],
    [{ ...fine, fault: 'others may open it: its mode is too wide' }, 'error', 'lspan doctor --fix'],
    [
      { ...fine, fault: 'it belongs to another user' },
      'error',
      expect.stringMatching(/^ls -ld \/s\/lspan; export/),
    ],
  ] as const)('judges the state folder %o as %s', (facts, level, next) => {
    const { next_step, ...finding } = judgeFolder(state, facts);
    expect(finding.level).toBe(level);
    expect(next_step).toEqual(next);
  });

  it('is an error if the state is in the workspace, which could forge it', () => {
    expect(judgeFolder({ ...state, path: '/w/lspan' }, fine)).toMatchObject({
      level: 'error',
      next_step: 'export XDG_STATE_HOME="$HOME/.local/state"',
    });
  });

  it.each([
    [{ pid: 1, version: '1.0', answers: true, same_build: true }, 'ok', undefined],
    [{ pid: 1, version: '0.9', answers: true, same_build: false }, 'warning', 'lspan stop'],
    [{ pid: 1, answers: false, same_build: true }, 'error', 'lspan stop --force'],
  ])('judges the daemon %o as %s', (daemon, level, next) => {
    const { level: found, next_step } = judgeDaemon(daemon);
    expect([found, next_step]).toEqual([level, next]);
  });

  it('is an error for each edit that was interrupted, and for a journal that cannot be read', () => {
    expect(judgeEdits({ edits: [], unreadable: [] }, 2)).toMatchObject([
      { level: 'ok', text: 'none is interrupted, 2 can be undone' },
    ]);
    const edit = { id: 'e1', title: 'rename a to b', roots: ['/w'], files: [], at: 0 };
    expect(judgeEdits({ edits: [edit], unreadable: ['/s/e2.prepared'] }, 0)).toMatchObject([
      { level: 'error', next_step: 'mv /s/e2.prepared /s/e2.prepared.broken' },
      { level: 'error', text: expect.stringContaining('rename a to b'), next_step: 'lspan doctor --fix' },
    ]);
  });

  it('is a warning for a notice, such as servers that are not confined', () => {
    const unconfined =
      'Language servers run unconfined, with all rights of the user: bubblewrap is not installed.';
    expect(judgeNotice(unconfined)).toMatchObject({
      subject: 'sandbox',
      level: 'warning',
      next_step: 'sudo apt install bubblewrap',
    });
    expect(judgeNotice('The key x is ignored.')).toMatchObject({
      level: 'warning',
      next_step: 'lspan config',
    });
  });
});

describe('the finding about the workspace', () => {
  const survey = { roots: ['/w'], files: 3, languages: [], servers: [], doubts: [] };

  it('is a warning if no language is known', () => {
    expect(judgeWorkspace(survey)).toMatchObject([
      { level: 'warning', text: 'no file of a language that lspan knows (3 files)' },
    ]);
  });

  it('is an error if the files are too many to be known', () => {
    const doubts = [{ kind: 'watch_lost', detail: 'The workspace has too many files.' }] as const;
    expect(judgeWorkspace({ ...survey, doubts })).toMatchObject([
      { level: 'error', text: 'The workspace has too many files.', next_step: expect.any(String) },
    ]);
  });
});

describe('a next step', () => {
  it('is the command of this platform', () => {
    const both = 'Install it with the package manager: `apt install x`, `brew install x`.';
    expect(commandIn(both, 'linux')).toBe('sudo apt install x');
    expect(commandIn(both, 'darwin')).toBe('brew install x');
    const page = 'Install it with `brew install x`, or see https://x.example';
    expect(commandIn(page, 'darwin')).toBe('brew install x');
    expect(commandIn(page, 'linux')).toBeUndefined();
    expect(commandIn('Install it so that `x` is in PATH.', 'linux')).toBeUndefined();
  });

  it('names no command of another platform', () => {
    const both = 'Install it with the package manager: `apt install x`, `brew install x`.';
    expect(instructionHere(both, 'linux')).toBe('Install it with the package manager: `apt install x`.');
    expect(instructionHere(both, 'darwin')).toBe('Install it with the package manager: `brew install x`.');
    const page = 'Install it with `brew install x`, or see https://x.example';
    expect(instructionHere(page, 'linux')).toBe('See https://x.example');
    expect(instructionHere(page, 'darwin')).toBe(page);
    expect(instructionHere('Install it with `x install y`.', 'linux')).toBe('Install it with `x install y`.');
  });

  it('quotes what a shell would read otherwise', () => {
    expect(shellWord('/a/b-c.d')).toBe('/a/b-c.d');
    expect(shellWord("/a b/it's$(x)")).toBe(`'/a b/it'\\''s$(x)'`);
  });
});
