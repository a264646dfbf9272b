import type { ServerResponse } from 'node:http';
import { type Receiver, startReceiver } from './receiver.js';

/** A JSON-RPC request as it passed. */
export interface ProxiedRequest {
  readonly id: unknown;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a method takes is its own matter
  readonly params: any;
}

/**
 * The proxy's action for a request: forward it, at once or later; break the connection; no response; its own response, in
 * JSON-RPC or of any kind.
 */
export type Decision =
  | 'pass'
  | 'break'
  | 'wait'
  | { readonly passAfter: Promise<unknown> }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly result: unknown }
  | { readonly send: (response: ServerResponse) => void };

/** A proxy between the service and a real chain. */
export interface RpcProxy {
  readonly url: string;
  /** All requests since the last `forget`. */
  readonly passed: ProxiedRequest[];
  /** Chooses the action for each request; forwards all by default. */
  decide: (request: ProxiedRequest) => Decision;
  /** @returns the number of calls of a method. */
  count(method: string): number;
  forget(): void;
  stop(): Promise<void>;
}

export const startRpcProxy = async (target: string): Promise<RpcProxy> => {
  const passed: ProxiedRequest[] = [];
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const request = JSON.parse(body) as ProxiedRequest;
    passed.push(request);
    const decision = proxy.decide(request);
    response.setHeader('content-type', 'application/json');
    if (decision === 'wait') return;
    if (decision === 'break') {
      response.writeHead(502).end('{}');
      return;
    }
    if (typeof decision === 'object' && 'send' in decision) {
      decision.send(response);
      return;
    }
    if (typeof decision === 'object' && 'passAfter' in decision) await decision.passAfter;
    else if (decision !== 'pass') {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...decision }));
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(target, { method: 'POST', headers, body });
    response.writeHead(reply.status).end(await reply.text());
  };
  const receiver: Receiver = await startReceiver(({ body }, response) => answer(body, response));
  const proxy: RpcProxy = {
    url: receiver.url,
    passed,
    decide: () => 'pass',
    count: (method) => passed.filter((request) => request.method === method).length,
    forget: () => {
      passed.length = 0;
    },
    stop: () => receiver.stop(),
  };
  return proxy;
};
