// Reads HTTP/1.1 answers as strictly as they can be read: what is not one exactly is left over.

/**
 * The whole answers at the beginning of some bytes, how many bytes are left, and whether they are a stream so far.
 * @param {Buffer} bytes
 * @param {{ isHead: boolean, isClosed: boolean }} how
 */
export function readAnswers(bytes, how) {
  const answers = [];
  let at = 0;
  while (at < bytes.length) {
    const answer = readAnswer(bytes, at, how);
    if (!answer || answer.open)
      return { answers, rest: bytes.length - at, isStream: answer?.open ?? false, open: answer };
    if (answer.status !== 100) answers.push(answer);
    at = answer.end;
  }
  return { answers, rest: 0, isStream: false };
}

function readAnswer(bytes, start, { isHead }) {
  const headEnd = bytes.indexOf('\r\n\r\n', start);
  if (headEnd === -1) return undefined;
  const [first, ...lines] = bytes.toString('latin1', start, headEnd).split('\r\n');
  const [, code] = /^HTTP\/1\.1 (\d{3}) [A-Za-z' -]+$/.exec(first) ?? [];
  if (code === undefined) return undefined;
  const headers = lines.map((line) => {
    const [, name = '', value = ''] = /^([A-Za-z-]+): ([\x20-\x7e]*)$/.exec(line) ?? [];
    return [name.toLowerCase(), value];
  });
  const fields = Object.fromEntries(headers);
  const answer = { status: Number(code), headers, fields, body: '', end: headEnd + 4 };
  if (answer.status === 100) return answer;
  // What was too broken to be known as HEAD has a body.
  const next = bytes.toString('latin1', answer.end, answer.end + 9);
  if (isHead && (next === '' || next === 'HTTP/1.1 ')) return answer;
  if (fields['transfer-encoding'] === 'chunked') return readChunks(bytes, answer);
  // To a client of HTTP/1.0 a stream ends with its connection.
  const isToTheEnd = fields['content-length'] === undefined && fields['content-type'] === 'text/event-stream';
  const end = isToTheEnd ? bytes.length : answer.end + Number(fields['content-length'] ?? 0);
  return bytes.length < end ? undefined : { ...answer, body: bytes.toString('utf8', answer.end, end), end };
}

/** A stream that has not ended is open; the events that it had are there. */
function readChunks(bytes, answer) {
  const parts = [];
  const soFar = () => ({ ...answer, open: true, body: Buffer.concat(parts).toString('utf8') });
  for (let at = answer.end; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return soFar();
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size + 2;
    if (!(bytes.length >= end)) return soFar();
    if (size === 0) return { ...answer, body: Buffer.concat(parts).toString('utf8'), end };
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = end;
  }
}
