import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverSentEvents, webSocketMessages } from '../event/stream/frame.js';
import type { StreamResponse } from './http/operation.js';
import { acceptWebSocket, wantsWebSocket } from './websocket.js';

const HEADERS = {
  'content-type': 'text/event-stream',
  // Proxies (nginx) would hold back events otherwise.
  'x-accel-buffering': 'no',
};

/** Opens a stream on the connection of a request: as a WebSocket if the client asked for one. */
export const sendStream = (request: FastifyRequest, reply: FastifyReply, { begin }: StreamResponse): FastifyReply => {
  if (request.method === 'HEAD') return reply.headers(HEADERS).send();
  reply.hijack();
  // Streams last for hours and have limits of their own.
  request.slot?.leave();
  // The client left while the request was answered; its `close` event is past, so a stream would wait for it forever.
  if (reply.raw.destroyed) return reply;
  if (wantsWebSocket(request.raw)) {
    acceptWebSocket(request.raw, (writable) => begin({ writable, format: webSocketMessages }));
    return reply;
  }
  reply.raw.writeHead(200, { ...reply.getHeaders(), ...HEADERS } as Record<string, string>);
  begin({ writable: reply.raw, format: serverSentEvents });
  return reply;
};
