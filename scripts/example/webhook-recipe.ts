import { EXAMPLE_SIGNER_UUID } from '../../src/schema/example.js';
import { once, type Recipes, until } from './recipe.js';
import type { Answer, SampleService } from './sample-service.js';
import { shorten } from './shorten.js';

const STREAM_MS = 30_000;
const FIRST_EVENT = /^[\s\S]*?^data: \{.*\}\n\n/m;

const idOf = ({ body }: Answer): string => body.webhook.webhook_id;

/** Webhooks, keys and streams. @param receiver address of a server that takes events */
export const webhookRecipes = ({ send, apiKey, host }: SampleService, receiver: string): Recipes => {
  const published = once(() => send('publish-webhook'));
  const ofExample = async () => ({ webhook_id: idOf(await published()) });
  /** A webhook whose receiver answers, and which was sent one event. */
  const reached = once(async () => {
    const body = { name: 'Casts', url: `${receiver}/events`, subscription: { 'cast.created': { author_fids: [1] } } };
    const webhook_id = idOf(await send('publish-webhook', { body }));
    await send('publish-cast', { body: { signer_uuid: EXAMPLE_SIGNER_UUID, text: 'News for webhooks.' } });
    const query = { webhook_id };
    await until(
      () => send('fetch-webhook-deliveries', { query }),
      ({ body }) => body.attempts.length > 0,
    );
    return { webhook_id };
  });
  const update = { name: 'Mentions', url: 'https://bot.example/events' };
  const createdKey = once(() => send('create-key'));
  const keyOf = ({ body }: Answer) => ({ key_uuid: body.key.uuid as string });

  return {
    'publish-webhook': published,
    'lookup-webhook': async () => send('lookup-webhook', { query: await ofExample() }),
    'fetch-webhook-deliveries': async () => send('fetch-webhook-deliveries', { query: await reached() }),
    'match-webhook': async () => send('match-webhook', { query: await reached() }),
    'test-webhook': async () => send('test-webhook', { body: { ...(await reached()), type: 'cast.created' } }),
    'replay-webhook': async () => {
      const from_time = new Date(Date.now() - 60_000).toISOString();
      return send('replay-webhook', { body: { ...(await reached()), from_time } });
    },
    'update-webhook': async () => {
      const subscription = { 'cast.created': { mentioned_fids: [1] } };
      return send('update-webhook', { body: { ...(await ofExample()), ...update, subscription } });
    },
    'update-webhook-active-status': async () =>
      send('update-webhook-active-status', { body: { ...(await ofExample()), active: 'false' } }),
    'delete-webhook': async () => send('delete-webhook', { body: { webhook_id: idOf(await send('publish-webhook')) } }),

    'create-key': createdKey,
    'rotate-key': async () => send('rotate-key', { body: { ...keyOf(await createdKey()), grace_seconds: 3600 } }),
    'revoke-key': async () => send('revoke-key', { body: keyOf(await send('create-key')) }),
    'rotate-own-key': async () =>
      send('rotate-own-key', { body: { ...keyOf(await createdKey()), grace_seconds: 3600 } }),
    'revoke-own-key': async () => send('revoke-own-key', { body: keyOf(await send('create-own-key')) }),

    /** What it sends up to the first event. */
    'stream-events': async () => {
      await send('publish-cast', { body: { signer_uuid: EXAMPLE_SIGNER_UUID, text: 'Hello, streams.' } });
      const query = new URLSearchParams({
        subscription: JSON.stringify({ 'cast.created': { author_fids: [1], text: '(?i)hello' } }),
        since: '0',
      });
      const response = await fetch(`http://${host}/v2/social/stream/?${query}`, {
        headers: { 'x-api-key': apiKey },
        signal: AbortSignal.timeout(STREAM_MS),
      });
      if (!response.ok || response.body === null) throw new Error(`stream-events: ${response.status}`);
      let text = '';
      const decoder = new TextDecoder();
      // Leaving the loop closes the connection.
      for await (const chunk of response.body) {
        text += decoder.decode(chunk as Uint8Array, { stream: true });
        if (FIRST_EVENT.test(text)) break;
      }
      const short = (_: string, data: string) => `data: ${JSON.stringify(shorten(JSON.parse(data)))}`;
      return { status: response.status, body: (FIRST_EVENT.exec(text)?.[0] ?? '').replace(/^data: (.*)$/m, short) };
    },
  };
};
