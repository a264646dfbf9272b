import { connect } from 'node:http2';
import { expect, test } from 'vitest';
import { buildHubRpcServer } from '../src/api/grpc/server.js';
import { startShell } from './support/http-shell.js';

test.each(['off', 'hub'] as const)(
  'a call whose message never arrives ends (public reads: %s)',
  async (publicReads) => {
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
      // Announces a message of 1 MiB, and never sends the rest of it.
      stream.write(Buffer.concat([Buffer.from([0, 0, 0x10, 0, 0]), Buffer.alloc(1_000)]));
      expect(String(await ended)).toBe('4');
    } finally {
      session.destroy();
      await server.stop();
      await shell.stop();
    }
  },
);
