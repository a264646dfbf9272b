import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import stringify from 'safe-stable-stringify';
import type { Database } from '../../db/database.js';
import { type TargetRule, targetError } from '../../delivery/target.js';
import { AppError, invalidFields, notFound } from '../../error.js';
import {
  type CampaignState,
  type CampaignText,
  insertCampaign,
  selectCampaignByKey,
  selectCampaignState,
} from '../../store/miniapp/campaign.js';
import { type Audience, insertCampaignRecipients } from '../../store/miniapp/campaign-audience.js';
import { completeCampaign } from '../../store/miniapp/campaign-result.js';
import { selectMiniAppDomain } from '../../store/miniapp/mini-app.js';
import { domainOf, readDomain } from '../domain.js';
import type { Manifests } from '../manifest.js';
import { ManifestError } from '../manifest-error.js';
import type { CampaignOutbox } from './outbox.js';

export interface CampaignDependencies {
  readonly db: Database;
  readonly rule: TargetRule;
  readonly manifests: Manifests;
  readonly outbox: CampaignOutbox;
  /** Whether campaigns to many tokens are sent after the request. */
  readonly isAsync: boolean;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** A request to send a notification. */
export interface CampaignRequest {
  readonly appId: string;
  /** UUID that makes a repetition the same request; undefined: each request is another one. */
  readonly idempotencyKey: string | undefined;
  readonly text: CampaignText;
  readonly audience: Audience;
  /** Whether the address that the notification opens names the campaign, as the vendor's components expect it. */
  readonly namesCampaign: boolean;
  /** The body without the UUID, which must be the same in repetitions; the order of its members does not matter. */
  readonly body: object;
}

/** More tokens than this are sent after the request, if the service may do so. */
const MAX_SYNC_TOKENS = 100;
/** Otherwise a request may have this many. */
const MAX_TOKENS = 1000;
/** A request waits for the hosts this long; then it is answered as if it were sent after the request. */
const MAX_WAIT_MS = 45_000;
const POLL_MS = 100;
const MANIFEST_MS = 5_000;
/** Hosts take addresses of this length (Mini App specification); a longer one may result from percent-encoding. */
const MAX_URL = 1024;

const invalid = (path: readonly string[], expected: string, received: string, message: string): AppError =>
  invalidFields([{ code: 'InvalidField', expected, received, path, message }]);
const invalidTarget = (expected: string, received: string, message: string): AppError =>
  invalid(['notification', 'target_url'], expected, received, `target_url ${message}`);

/**
 * Names a campaign in the address that its notification opens. The vendor's React components look for these parameters
 * and report the opening (`POST /v2/farcaster/frame/notifications/open`).
 */
const nameCampaign = (url: URL, id: string): void => {
  if (url.searchParams.has('utm_source') || url.searchParams.has('utm_campaign')) return;
  url.searchParams.set('utm_source', 'neynar');
  url.searchParams.set('utm_campaign', id);
};

/**
 * @param campaignId to be named in the address; undefined: in none
 * @returns the address as it was parsed
 * @throws AppError 'invalid' unless the URL is on the domain
 */
const readTarget = (text: string, domain: string, rule: TargetRule, campaignId: string | undefined): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const fault = url ? targetError(url, rule) : 'is not a URL.';
  const expected = `a URL on ${domain}`;
  if (!url || fault !== undefined) throw invalidTarget(expected, text, `${fault}`);
  if (domainOf(url) !== domain) {
    const message = `must be on ${domain}, the domain of the mini app: hosts reject any other.`;
    throw invalidTarget(expected, domainOf(url), message);
  }
  if (campaignId !== undefined) nameCampaign(url, campaignId);
  if (url.href.length > MAX_URL) {
    throw invalidTarget(`${MAX_URL} characters`, `${url.href.length}`, `must have at most ${MAX_URL} characters.`);
  }
  return url.href;
};

/** @throws AppError 'unprocessable' for a domain without a valid manifest, from which hosts know the mini app */
const requireManifest = async ({ manifests, rule }: CampaignDependencies, domain: string): Promise<void> => {
  try {
    await manifests.read(readDomain(domain, rule), MANIFEST_MS);
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    throw new AppError('unprocessable', 'Unprocessable', `${error.message} Correct it on ${domain}, then send again.`, {
      cause: error,
    });
  }
};

const sameRequest = (state: CampaignState, digest: Uint8Array): CampaignState => {
  if (state.bodyDigest.equals(digest)) return state;
  const message = 'uuid was sent with another body before: send a new one, or the same body again.';
  throw invalid(['notification', 'uuid'], 'a new UUID', 'the UUID of another request', message);
};

const insert = (
  { db, isAsync, clock }: CampaignDependencies,
  { appId, idempotencyKey, text, audience }: CampaignRequest,
  { id, bodyDigest }: { readonly id: string; readonly bodyDigest: Uint8Array },
): Promise<string | undefined> =>
  db.transaction(async (session) => {
    const now = new Date(clock());
    const campaign = { id, appId };
    const row = { ...campaign, ...text, idempotencyKey: idempotencyKey ?? null, bodyDigest, createdAt: now };
    const isNew = await insertCampaign(session, row);
    if (!isNew) return undefined;
    const { tokenCount } = await insertCampaignRecipients(session, campaign, audience, now);
    if (!isAsync && tokenCount > MAX_TOKENS) {
      const message = `${tokenCount} tokens match; without asynchronous sending (CASTELLAN_NOTIFICATION_ASYNC) a request may have ${MAX_TOKENS}: send to parts of the audience with target_fids.`;
      throw invalid(['target_fids'], `at most ${MAX_TOKENS} tokens`, `${tokenCount}`, message);
    }
    if (tokenCount === 0) await completeCampaign(session, campaign.id, now);
    return campaign.id;
  });

/**
 * Stores a campaign with its recipients, once for each idempotency key.
 * @throws AppError 'invalid' for a key of another body, a target on another domain, and too many tokens; 'not_found' for
 *   an app without a mini app; 'unprocessable' for a mini app without a valid manifest
 */
const store = async (deps: CampaignDependencies, request: CampaignRequest): Promise<CampaignState> => {
  const { db, rule } = deps;
  const { appId, idempotencyKey } = request;
  const digest = createHash('sha256')
    .update(stringify(request.body) as string)
    .digest();
  const find = async () => (idempotencyKey === undefined ? undefined : selectCampaignByKey(db, appId, idempotencyKey));
  const earlier = await find();
  if (earlier) return sameRequest(earlier, digest);
  const domain = await selectMiniAppDomain(db, appId);
  if (domain === undefined) {
    const message = `This app has no mini app: \`castellan app set ${appId} --miniapp DOMAIN\` sets its domain.`;
    throw notFound(message);
  }
  const newId = randomUUID();
  const targetUrl = readTarget(request.text.targetUrl, domain, rule, request.namesCampaign ? newId : undefined);
  await requireManifest(deps, domain);
  const text = { ...request.text, targetUrl };
  const id = await insert(deps, { ...request, text }, { id: newId, bodyDigest: digest });
  const state = id === undefined ? await find() : await selectCampaignState(db, id);
  return sameRequest(state as CampaignState, digest);
};

/** Sends the campaign and waits until all hosts answered, here or in another process, but not too long. */
const finish = async ({ db, outbox }: CampaignDependencies, first: CampaignState): Promise<CampaignState> => {
  const end = performance.now() + MAX_WAIT_MS;
  let state = first;
  while (state.status !== 'completed' && performance.now() < end && !outbox.isStopping) {
    await Promise.race([outbox.deliver(state.id), wait(end - performance.now(), undefined, { ref: false })]);
    state = (await selectCampaignState(db, state.id)) as CampaignState;
    // A failed call is due again a moment later, or another process sends.
    if (state.status !== 'completed') await wait(POLL_MS, undefined, { ref: false });
  }
  return state;
};

/**
 * Sends a notification to the users of the app's mini app.
 * @returns the campaign: completed, or to be sent after the request
 * @throws as `store`
 */
export const publishCampaign = async (deps: CampaignDependencies, request: CampaignRequest): Promise<CampaignState> => {
  const state = await store(deps, request);
  if (!deps.isAsync || state.tokenCount <= MAX_SYNC_TOKENS) return finish(deps, state);
  deps.outbox.pollNow();
  // The same answer to a repetition, however far the campaign is.
  return { ...state, status: 'queued' };
};
