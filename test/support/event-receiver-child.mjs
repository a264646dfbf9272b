// The receiver of a webhook that fails half of its calls, at most six times for one event, and notes each before it answers.
// argv: port, file for lines of event id, delivery id and hash of the body.
import { hash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file] = process.argv.slice(2);

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const failure = Number(request.headers['x-service-attempt']) > 6 ? 1 : Math.random();
  if (failure < 0.2) return void response.writeHead(500).end();
  if (failure < 0.4) return void response.writeHead(404).end();
  if (failure < 0.5) return void request.socket.destroy();
  const { 'x-service-event-id': event, 'x-service-delivery': delivery } = request.headers;
  appendFileSync(file, `${event} ${delivery} ${hash('sha1', Buffer.concat(chunks))}\n`);
  response.end();
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
