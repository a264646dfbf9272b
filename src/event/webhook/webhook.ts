import { randomUUID } from 'node:crypto';
import type { MasterKey } from '../../config/secret.js';
import type { Database } from '../../db/database.js';
import type { Reader, Session } from '../../db/statement.js';
import { type TargetRule, targetError } from '../../delivery/target.js';
import { type AppError, invalidField, notFound } from '../../error.js';
import type { WebhookSubscriptionFilters } from '../../schema/event/webhook.js';
import type { Dialect } from '../../schema/wire-names.js';
import { selectApp } from '../../store/access/app.js';
import { endPendingDeliveries } from '../../store/event/delivery.js';
import {
  deleteWebhook,
  insertWebhook,
  lockAppWebhooks,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
  type Webhook,
  type WebhookChange,
} from '../../store/event/webhook.js';
import { selectEventLogBounds } from '../../store/hub/event.js';
import { isUuid } from '../../uuid.js';
import { MAX_ALL_PATTERNS, MAX_APP_PATTERNS, patternSizes, totalSize } from '../pattern-budget.js';
import { makeSecret, type OpenSecret, openSecrets } from './signature.js';

/** Webhooks of one app. */
const MAX_WEBHOOKS = 100;
const MAX_TITLE = 200;
const MAX_URL = 2048;

/** What webhooks are made and changed with. */
export interface WebhookDependencies {
  readonly db: Database;
  readonly masterKey: MasterKey;
  /** Which addresses may be called. */
  readonly rule: TargetRule;
  /** Of plans; absent where no webhook is made. */
  readonly limits?: {
    /** @throws AppError `payment_required` if the plan of the organization has no room for another webhook */
    requireWebhook(session: Session, organizationId: string): Promise<void>;
  };
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** A webhook with its secrets in the clear, the oldest first. */
export interface OwnWebhook {
  readonly webhook: Webhook;
  readonly secrets: readonly OpenSecret[];
}

/** What a caller says about a webhook. */
export interface WebhookInput {
  readonly title: string;
  readonly targetUrl: string;
  /** As `readFilters` returns them. */
  readonly filters: WebhookSubscriptionFilters;
}

const noWebhook = (id: string): AppError =>
  notFound(
    `This app has no webhook with the id ${id.slice(0, 80)}: list them with GET /v2/social/webhook/list/.`,
    'webhook_id',
  );

/**
 * Locks the webhooks of an app until the transaction ends.
 * @param exceptId of the webhook that is replaced
 * @returns the number of its other webhooks
 * @throws AppError `invalid` if regular expressions of this size do not fit beside the others
 */
const requirePatternCapacity = async (
  session: Session,
  size: number,
  { appId, exceptId }: { readonly appId: string; readonly exceptId?: string },
): Promise<number> => {
  const { count = 0, patternSize = 0, allPatternSize = 0 } = (await lockAppWebhooks(session, appId, exceptId)) ?? {};
  if (size > 0 && patternSize + size > MAX_APP_PATTERNS) {
    throw invalidField(
      'subscription',
      `The regular expressions of this app's webhooks would have ${patternSize + size} instructions, at most ${MAX_APP_PATTERNS} are allowed: use shorter ones, or delete webhooks.`,
    );
  }
  if (size > 0 && allPatternSize + size > MAX_ALL_PATTERNS) {
    throw invalidField(
      'subscription',
      'The regular expressions of all webhooks of this service are too large: use a shorter one.',
    );
  }
  return count;
};

/** @throws AppError `not_found` for a text that is no id */
const readId = (id: string): string => {
  if (!isUuid(id)) throw noWebhook(id);
  return id.toLowerCase();
};

const readTitle = (title: string): string => {
  const trimmed = title.trim();
  if (trimmed !== '' && trimmed.length <= MAX_TITLE) return trimmed;
  throw invalidField('name', `name must have 1 to ${MAX_TITLE} characters.`);
};

const readTarget = (url: string, rule: TargetRule): string => {
  if (url.length > MAX_URL) throw invalidField('url', `url must have at most ${MAX_URL} characters.`);
  if (!URL.canParse(url)) throw invalidField('url', 'url must be an address like https://app.example/hook.');
  const problem = targetError(new URL(url), rule);
  if (problem !== undefined) throw invalidField('url', `The address of a webhook ${problem}`);
  return new URL(url).href;
};

const inputOf = ({ title, targetUrl, filters }: WebhookInput, rule: TargetRule): WebhookInput => ({
  title: readTitle(title),
  targetUrl: readTarget(targetUrl, rule),
  filters,
});

const withSecrets = async (
  { db, masterKey, clock }: WebhookDependencies,
  webhooks: readonly Webhook[],
): Promise<OwnWebhook[]> => {
  const ids = webhooks.map(({ id }) => id);
  const secrets = await openSecrets(db, masterKey, ids, new Date(clock()));
  return webhooks.map((webhook) => ({
    webhook,
    secrets: secrets.filter(({ webhookId }) => webhookId === webhook.id),
  }));
};

/**
 * Makes a webhook, active from now on.
 * @param dialect of the path that it is made with
 * @throws AppError `invalid` for a name, an address or a number of webhooks that is not allowed, `payment_required` if the
 *   plan has no room for another webhook
 */
export const createWebhook = async (
  { db, masterKey, rule, limits, clock }: WebhookDependencies,
  appId: string,
  dialect: Dialect,
  input: WebhookInput,
): Promise<OwnWebhook> => {
  const now = new Date(clock());
  const valid = inputOf(input, rule);
  return db.transaction(async (session) => {
    const patternSize = totalSize([patternSizes(valid.filters)]);
    if ((await requirePatternCapacity(session, patternSize, { appId })) >= MAX_WEBHOOKS) {
      throw invalidField('name', `An app has at most ${MAX_WEBHOOKS} webhooks: delete one that is not needed.`);
    }
    const app = await selectApp(session, appId);
    if (app) await limits?.requireWebhook(session, app.organizationId);
    const webhook: Webhook = {
      id: randomUUID(),
      appId,
      ...valid,
      patternSize,
      subscriptionId: randomUUID(),
      dialect,
      active: true,
      inactiveReason: null,
      afterLogId: (await selectEventLogBounds(session)).newest,
      failingSince: null,
      version: 1,
      createdAt: now,
      updatedAt: now,
      subscriptionUpdatedAt: now,
      deletedAt: null,
    };
    await insertWebhook(session, webhook);
    const secret = await makeSecret(session, masterKey, { id: randomUUID(), webhookId: webhook.id, createdAt: now });
    return { webhook, secrets: [secret] };
  });
};

/** @throws AppError `not_found` if the app has no webhook with this id */
export const requireWebhook = async (db: Reader, appId: string, id: string): Promise<Webhook> => {
  const webhook = await selectWebhook(db, appId, readId(id));
  if (webhook === undefined) throw noWebhook(id);
  return webhook;
};

/** @throws AppError `not_found` if the app has no webhook with this id */
export const readWebhook = async (
  dependencies: WebhookDependencies,
  appId: string,
  id: string,
): Promise<OwnWebhook> => {
  const webhook = await requireWebhook(dependencies.db, appId, id);
  return (await withSecrets(dependencies, [webhook]))[0] as OwnWebhook;
};

/** @returns all webhooks of an app, newest first */
export const listWebhooks = async (dependencies: WebhookDependencies, appId: string): Promise<OwnWebhook[]> =>
  withSecrets(dependencies, await selectWebhooks(dependencies.db, appId));

/** Applies a change, and what follows from it, in one transaction. @throws AppError `not_found` */
const change = async (
  dependencies: WebhookDependencies,
  id: string,
  apply: (session: Session, now: Date) => Promise<Webhook | undefined>,
): Promise<OwnWebhook> => {
  const now = new Date(dependencies.clock());
  const changed = await dependencies.db.transaction((session) => apply(session, now));
  if (changed === undefined) throw noWebhook(id);
  return (await withSecrets(dependencies, [changed]))[0] as OwnWebhook;
};

/** Replaces name, address and filters. The secret stays. @throws AppError `invalid`, `not_found` */
export const replaceWebhook = async (
  dependencies: WebhookDependencies,
  appId: string,
  id: string,
  input: WebhookInput,
): Promise<OwnWebhook> => {
  const valid = inputOf(input, dependencies.rule);
  const patternSize = totalSize([patternSizes(valid.filters)]);
  return change(dependencies, id, async (session, now) => {
    await requirePatternCapacity(session, patternSize, { appId, exceptId: readId(id) });
    return updateWebhook(session, appId, readId(id), { ...valid, patternSize, now });
  });
};

/**
 * Switches a webhook on or off. Its pending deliveries are then cancelled, and it gets no events until it is on
 * again; a replay sends those.
 * @throws AppError `not_found`
 */
export const setWebhookActive = (
  dependencies: WebhookDependencies,
  appId: string,
  id: string,
  active: boolean,
): Promise<OwnWebhook> =>
  change(dependencies, id, async (session, now) => {
    const known = await selectWebhook(session, appId, readId(id));
    if (known === undefined || known.active === active) return known;
    const activation: WebhookChange = active
      ? { active, afterLogId: (await selectEventLogBounds(session)).newest, now }
      : { active, now };
    // When it is switched on, too: a page of events may have been handed over just after it was switched off.
    await endPendingDeliveries(session, known.id, 'cancelled', now);
    return updateWebhook(session, appId, known.id, activation);
  });

/** Deletes a webhook and cancels its pending deliveries. @throws AppError `not_found` */
export const removeWebhook = (dependencies: WebhookDependencies, appId: string, id: string): Promise<OwnWebhook> =>
  change(dependencies, id, async (session, now) => {
    const deleted = await deleteWebhook(session, appId, readId(id), now);
    if (deleted !== undefined) await endPendingDeliveries(session, deleted.id, 'cancelled', now);
    return deleted;
  });
