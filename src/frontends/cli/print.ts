/** Writes an answer to stdout and waits until it is flushed. A reader that is gone (`| head`) is not an error. */
export function print(text: string): Promise<void> {
  const { stdout } = process;
  return new Promise((resolve) => {
    const onError = () => resolve();
    stdout.on('error', onError);
    stdout.write(text, (error) => {
      // On failure the `error` event follows this callback, so the listener must stay.
      if (!error) stdout.off('error', onError);
      resolve();
    });
  });
}
