/** Signals a process, or a group by its negative number, and tells what came of it; 0 only asks whether it is there. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'not_ours' {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    // macOS says EPERM of a group too in which only zombies are left.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'not_ours' : 'gone';
  }
}
