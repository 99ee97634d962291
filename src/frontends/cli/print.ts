/** Writes an answer to stdout and waits until it has left. A reader that has gone (`| head`) is no failure of ours. */
export function print(text: string): Promise<void> {
  const { stdout } = process;
  return new Promise((resolve) => {
    stdout.on('error', () => resolve());
    stdout.write(text, () => resolve());
  });
}
