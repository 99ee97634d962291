/** Signals a process, or a group by its negative number, and returns the outcome; 0 only checks that it exists. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'not_ours' {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    // macOS also reports EPERM for a group in which only zombies are left.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'not_ours' : 'gone';
  }
}
