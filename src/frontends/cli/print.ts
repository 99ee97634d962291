/** Writes an answer to stdout and waits until it has left. A reader that has gone (`| head`) is no failure of ours. */
export function print(text: string): Promise<void> {
  const { stdout } = process;
  return new Promise((resolve) => {
    const onError = () => resolve();
    stdout.on('error', onError);
    stdout.write(text, (error) => {
      // The event of a failure comes only after this.
      if (!error) stdout.off('error', onError);
      resolve();
    });
  });
}
