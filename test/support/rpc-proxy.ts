import type { ServerResponse } from 'node:http';
import { type Receiver, startReceiver } from './receiver.js';

/** A JSON-RPC request as it passed. */
export interface Passed {
  readonly id: unknown;
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a method takes is its own matter
  readonly params: any;
}

/** What the proxy does with a request: lets it pass, at once or after something; breaks; never answers; answers itself. */
export type Verdict =
  | 'pass'
  | 'break'
  | 'wait'
  | { readonly passAfter: Promise<unknown> }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly result: unknown };

/** Stands between the service and a real chain. */
export interface RpcProxy {
  readonly url: string;
  /** Everything that was asked since the last `forget`. */
  readonly passed: Passed[];
  /** Decides about each request; lets all pass at first. */
  judge: (request: Passed) => Verdict;
  /** @returns how often a method was asked. */
  count(method: string): number;
  forget(): void;
  stop(): Promise<void>;
}

export const startRpcProxy = async (target: string): Promise<RpcProxy> => {
  const passed: Passed[] = [];
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const request = JSON.parse(body) as Passed;
    passed.push(request);
    const verdict = proxy.judge(request);
    response.setHeader('content-type', 'application/json');
    if (verdict === 'wait') return;
    if (verdict === 'break') {
      response.writeHead(502).end('{}');
      return;
    }
    if (typeof verdict === 'object' && 'passAfter' in verdict) await verdict.passAfter;
    else if (verdict !== 'pass') {
      response.end(JSON.stringify({ jsonrpc: '2.0', id: request.id, ...verdict }));
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
    judge: () => 'pass',
    count: (method) => passed.filter((request) => request.method === method).length,
    forget: () => {
      passed.length = 0;
    },
    stop: () => receiver.stop(),
  };
  return proxy;
};
