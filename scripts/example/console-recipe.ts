import { CONSOLE_HEADER } from '../../src/access/console-session.js';
import { DEFAULT_APP_ID } from '../../src/access/key.js';
import { type Recipes, until } from './recipe.js';
import type { Answer, SampleService } from './sample-service.js';

/** Sessions of the console, and signers that are approved there. */
export const consoleRecipes = ({ send, apiKey, host }: SampleService): Recipes => {
  const url = `http://${host}/portal/session`;
  /** The cookie is in a header, which other examples do not need. */
  const signIn = async (): Promise<string> => {
    const { headers } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: apiKey }),
    });
    return headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  };
  const ask = async (method: string): Promise<Answer> => {
    const response = await fetch(url, { method, headers: { [CONSOLE_HEADER]: '1', cookie: await signIn() } });
    return { status: response.status, body: await response.json() };
  };
  /** The log is written each second, so what it has depends on the time: a page of reads that are known to be there. */
  const readLog = async (id: string): Promise<Answer> => {
    for (let n = 0; n < 3; n++) await send('fetch-bulk-users');
    const query = { operation: 'fetch-bulk-users', limit: '2' };
    return until(
      () => send(id, { query }),
      ({ body }) => body.next.cursor !== null,
    );
  };
  return {
    'list-requests': () => readLog('list-requests'),
    'list-service-requests': () => readLog('list-service-requests'),
    'create-session': () => send('create-session', { body: { api_key: apiKey } }),
    'fetch-session': () => ask('GET'),
    'end-session': () => ask('DELETE'),
    'receive-webhook': () => send('receive-webhook', { params: { app_id: DEFAULT_APP_ID } }),
    'approve-signer': async () => {
      const { signer_uuid } = (await send('create-signer')).body;
      return send('approve-signer', { body: { signer_uuid, fid: 3 } });
    },
  };
};
