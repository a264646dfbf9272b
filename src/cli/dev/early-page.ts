import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { STARTING_POLICY, startingPage, startingScript } from '../../api/system/starting-page.js';
import { FAVICON } from '../../api/web-page/html-page.js';
import { PAGE_STYLE } from '../../api/web-page/page-style.js';
import type { Startup } from '../terminal/startup.js';

/** What answers on the port of a development service before the service itself does. */
export interface EarlyPage {
  /** Frees the port. */
  close(): Promise<void>;
}

/**
 * Loading the service and its database takes seconds. Until then people see a page that says so, and programs a 503; and a
 * port that is taken is found at once.
 * @throws the network's error if the port cannot be used
 */
export const showEarlyPage = async (
  { host, port }: { readonly host: string; readonly port: number },
  { readiness }: Startup,
): Promise<EarlyPage> => {
  const answer = async ({ url = '/', headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const problem = (await readiness.check()) ?? 'done';
    const send = (status: number, type: string, body: string): void => {
      const more = { 'content-security-policy': STARTING_POLICY, 'cache-control': 'no-store', 'retry-after': '1' };
      // The next request must find the service itself.
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, connection: 'close', ...more });
      response.end(body);
    };
    const path = url.split('?', 1)[0] as string;
    if (path === '/page.css') return send(200, 'text/css', PAGE_STYLE);
    if (path === '/starting.js') return send(200, 'text/javascript', startingScript(''));
    if (path === '/favicon.svg') return send(200, 'image/svg+xml', FAVICON);
    if (path.startsWith('/health/')) {
      const body = { status: 'unavailable', checks: { startup: { ok: false, problem } } };
      return send(503, 'application/json', JSON.stringify(body));
    }
    if (headers.accept?.includes('text/html')) return send(200, 'text/html', startingPage('', problem));
    const message = `Castellan is starting (${problem}). Try again in a second.`;
    send(503, 'application/json', JSON.stringify({ code: 'ServiceUnavailable', message }));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
