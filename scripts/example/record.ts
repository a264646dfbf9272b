import type { ResponseExamples } from '../../src/api/openapi/response-example.js';
import { consoleRecipes } from './console-recipe.js';
import { EXAMPLE_HOST } from './described-operation.js';
import { hubRecipes } from './hub-recipe.js';
import { eventUrl, miniAppRecipes, startOtherServer } from './mini-app-recipe.js';
import { type Recipes, until } from './recipe.js';
import type { Answer, SampleService } from './sample-service.js';
import { withoutSecrets } from './secret.js';
import { shorten } from './shorten.js';
import { signerRecipes } from './signer-recipe.js';
import { walletRecipes } from './wallet-recipe.js';
import { webhookRecipes } from './webhook-recipe.js';
import { WITHOUT_RESPONSE } from './without-response.js';

/** Lists that are empty until something was written. */
const AFTER_WRITES = new Set([
  'fetch-ban-list',
  'fetch-block-list',
  'fetch-mute-list',
  'fetch-webhooks',
  'fetch-organization-log',
  'app-host-get-user-state',
  'get-notification-campaign-stats',
]);

/** What is written is read and taken back in this order: a deletion has something to delete. */
const stageOf = (id: string, method: string, recipes: Recipes): number => {
  if (AFTER_WRITES.has(id)) return 2;
  if (method === 'DELETE') return 3;
  return method === 'GET' && !(id in recipes) ? 0 : 1;
};

interface Feed {
  readonly casts: readonly { readonly embeds: readonly { readonly url?: string; readonly metadata?: object }[] }[];
}

/** Waits for what a new service finds out after its start: link previews, and trades on the local chain. */
const settle = async ({ send }: SampleService): Promise<void> => {
  const query = { feed_type: 'filter', filter_type: 'embed_types', embed_types: 'image', limit: '100' };
  const isRead = ({ casts }: Feed): boolean =>
    casts.every(({ embeds }) => embeds.every(({ url, metadata }) => url === undefined || metadata !== undefined));
  await until(
    () => send('fetch-feed', { query }),
    ({ body }) => isRead(body),
  );
  await until(
    () => send('fetch-fungible-trades'),
    ({ body }) => body.trades.length > 0,
  );
};

export interface Recording {
  readonly examples: ResponseExamples;
  /** One line for each operation that was refused. */
  readonly refused: readonly string[];
}

/** Asks every operation once, with the request of the reference or with its recipe. */
export const recordExamples = async (service: SampleService): Promise<Recording> => {
  const { host, operations, send } = service;
  const [own, other] = await Promise.all([startOtherServer(eventUrl(host)), startOtherServer()]);
  const recipes: Recipes = {
    ...webhookRecipes(service, other.url),
    ...signerRecipes(service),
    ...consoleRecipes(service),
    ...hubRecipes(service),
    ...walletRecipes(service),
    ...miniAppRecipes(service, own, other),
  };
  const port = host.split(':')[1];
  const places: readonly (readonly [string, string])[] = [
    [`http://localhost:${own.port}`, 'https://mini-app.example'],
    [`localhost:${own.port}`, 'mini-app.example'],
    [`http://localhost:${other.port}`, 'https://club.example'],
    [`localhost:${other.port}`, 'club.example'],
    [other.url, 'https://bot.example'],
    [host, EXAMPLE_HOST],
    [`localhost:${port}`, 'localhost:3000'],
  ];
  /** Names of this run's servers become those of the examples. */
  const placed = (body: unknown): unknown =>
    JSON.parse(places.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(body)));
  const answered = new Map<string, Answer>();
  const refused: string[] = [];
  const asked = operations
    .filter(({ id }) => !(id in WITHOUT_RESPONSE))
    .map(({ id, method }) => ({ id, stage: stageOf(id, method, recipes) }))
    .sort((a, b) => a.stage - b.stage);
  try {
    await settle(service);
    for (const { id } of asked) {
      try {
        answered.set(id, await (recipes[id] ?? (() => send(id)))());
      } catch (error) {
        refused.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  } finally {
    await Promise.all([own.stop(), other.stop()]);
  }
  const examples = Object.fromEntries(
    operations.flatMap(({ id }) => {
      const answer = answered.get(id);
      return answer ? [[id, { [answer.status]: shorten(withoutSecrets(placed(answer.body))) }]] : [];
    }),
  );
  return { examples, refused };
};
