// An HTTP server that reads what it is sent and answers a constant of so many bytes: the limit of what Node can do.
import { createServer } from 'node:http';

const body = JSON.stringify({ text: 'x'.repeat(Math.max(0, Number(process.argv[2]) - 11)) });
const server = createServer((request, response) => {
  request.on('data', () => {});
  request.on('end', () => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
});
// The others have their turns meanwhile.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`at http://127.0.0.1:${server.address().port}/\n`));
