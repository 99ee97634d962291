/** What a terminal would show of a program's output: no escape sequences, no control characters but line ends. */
export function plainText(output: string): string {
  return output.replace(escapes, '').replace(lineEnds, '\n').replace(controls, '');
}

/** Colours and cursor moves (CSI), titles and links (OSC), and the two-character rest; none runs past the end of its line. */
const escapes = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?|[^[\]\r\n])/g;

const lineEnds = /\r\n?/g;

const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
