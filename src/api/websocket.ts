import { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { TrackedResponse } from './limit/tracked-response.js';

/** Messages of clients are not read. */
const MAX_MESSAGE_BYTES = 1024;

/**
 * A request that only a client that wants a WebSocket upgrades. Node takes every request with the header `Upgrade` from
 * the HTTP parser, with its body unread; clients that offer HTTP/2 (`Upgrade: h2c`, as Java's does) would lose theirs.
 */
export class UpgradableRequest extends IncomingMessage {
  declare isUpgrade: boolean | null;

  get upgrade(): boolean {
    return this.isUpgrade === true && (this.method === 'CONNECT' || /^websocket$/i.test(this.headers.upgrade ?? ''));
  }

  /** Set by Node's parser. */
  set upgrade(value: boolean | null) {
    this.isUpgrade = value;
  }
}

interface Upgrade {
  readonly socket: Duplex;
  /** What the client sent after the request. */
  readonly head: Buffer;
  readonly response: TrackedResponse;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();
const webSockets = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  maxPayload: MAX_MESSAGE_BYTES,
});

/**
 * Sends requests for a WebSocket through the same routes, hooks and checks as others. A route that does not accept it
 * (`acceptWebSocket`) answers as always, and the connection is closed.
 */
export const handleUpgrades = (fastify: FastifyInstance): void => {
  fastify.server.on('upgrade', (request, socket: Duplex, head) => {
    const response = new TrackedResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Parameters<TrackedResponse['assignSocket']>[0]);
    response.once('finish', () => socket.end());
    socket.on('error', () => socket.destroy());
    upgrades.set(request, { socket, head, response });
    fastify.routing(request, response);
  });
};

/** @returns whether the client asked for a WebSocket */
export const wantsWebSocket = (request: IncomingMessage): boolean => upgrades.has(request);

/**
 * Turns the connection of a request into a WebSocket. A handshake that is not valid is answered with 400.
 * @param opened is called with a stream that sends each text that is written to it as a message
 */
export const acceptWebSocket = (request: IncomingMessage, opened: (messages: Duplex) => void): void => {
  const { socket, head, response } = upgrades.get(request) as Upgrade;
  response.detachSocket(socket as Parameters<TrackedResponse['detachSocket']>[0]);
  // The response is never sent, but its request ends with the connection.
  socket.once('close', () => response.emit('close'));
  webSockets.handleUpgrade(request, socket, head, (webSocket) => {
    const messages = createWebSocketStream(webSocket, { decodeStrings: false });
    webSocket.once('close', () => messages.destroy());
    messages.resume();
    opened(messages);
  });
};
