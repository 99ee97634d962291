// Stands between the official suite and lspan: the suite has no way to send a token.
import http from 'node:http';

/** Listens on loopback; `to` says, when asked, where requests go and with which token. */
export async function startHeaderProxy(to) {
  const server = http.createServer((request, response) => {
    const { port, token } = to();
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    // A Host that is the proxy's own means lspan's; a foreign one must arrive as it is.
    if (hosts(server).includes(headers.host)) headers.host = `127.0.0.1:${port}`;
    const { method, url: path } = request;
    const onward = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
      // A stream that breaks off must not look like one that ended.
      answer.once('error', () => response.destroy());
    });
    onward.once('error', () => response.destroy());
    response.once('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    origins: hosts(server).map((host) => `http://${host}`),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hosts(server) {
  const { port } = server.address();
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}
