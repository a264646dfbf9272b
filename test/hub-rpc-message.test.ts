import { connect } from 'node:http2';
import { expect, test } from 'vitest';
import { buildHubRpcServer } from '../src/api/grpc/server.js';
import { startShell } from './support/http-shell.js';

/** A message of 1 MiB is announced, and its rest never sent; a whole one, and the client does not end its side. */
const UNENDED: [string, Buffer][] = [
  ['message never arrives', Buffer.concat([Buffer.from([0, 0, 0x10, 0, 0]), Buffer.alloc(1_000)])],
  ['client sends no end', Buffer.from([0, 0, 0, 0, 0])],
];
const CASES = UNENDED.flatMap(([what, bytes]) =>
  (['off', 'hub'] as const).map((reads) => [what, reads, bytes] as const),
);

test.each(CASES)('a call whose %s ends (public reads: %s)', async (_what, publicReads, bytes) => {
  const shell = await startShell({ publicReads });
  const server = buildHubRpcServer({ port: 0, isMovable: false, tls: undefined }, shell.services, {
    maxConnections: 8,
    messageMs: 100,
  });
  const session = connect(`http://127.0.0.1:${await server.listen('127.0.0.1')}`);
  try {
    const stream = session.request({
      ...{
        ':method': 'POST',
        ':path': '/HubService/GetCastsByFid',
        'content-type': 'application/grpc',
        te: 'trailers',
      },
      'x-api-key': await shell.key(),
    });
    const ended = new Promise((resolve, reject) => {
      stream.once('response', (got) => got['grpc-status'] !== undefined && resolve(got['grpc-status']));
      stream.once('trailers', (got) => resolve(got['grpc-status']));
      stream.on('error', reject).resume();
    });
    stream.write(bytes);
    expect(String(await ended)).toBe('4');
  } finally {
    session.destroy();
    await server.stop();
    await shell.stop();
  }
});
