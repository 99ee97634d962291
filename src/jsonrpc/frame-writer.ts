/** Encodes one message, with header and body in one buffer, so that they are one write. */
export function encodeFrame(message: unknown): Buffer {
  const body = JSON.stringify(message);
  const length = Buffer.byteLength(body);
  const header = `Content-Length: ${length}\r\n\r\n`;
  const frame = Buffer.allocUnsafe(header.length + length);
  frame.write(header, 'latin1');
  frame.write(body, header.length, 'utf8');
  return frame;
}

/** Like `encodeFrame`, but as text for an output that writes UTF-8, whose bytes the length counts. */
export function frameText(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
