import type { Database } from '../db/database.js';
import { type TargetRule, targetError } from '../delivery/target.js';
import { invalidField, notFound } from '../error.js';
import type { Networks } from '../onchain/network.js';
import type { EncodedJsonSocialSignature } from '../schema/social/frame.js';
import {
  type ClientUser,
  disableClientToken,
  enableClientToken,
  isEventOfAnotherApp,
} from '../store/miniapp/client-token.js';
import { selectMiniAppDomain } from '../store/miniapp/mini-app.js';
import { selectAppKeyRequester } from '../store/protocol/account-authority.js';
import { selectExistingFids } from '../store/query/account-exists.js';
import { disablesNotifications, type NotificationDetails, readEvent } from './event.js';
import { digestOf } from './host-event.js';
import { type Jfs, JfsError, jfsError, parseJfs } from './jfs.js';

interface Dependencies {
  readonly db: Database;
  readonly networks: Networks;
  readonly rule: TargetRule;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

type Part = keyof EncodedJsonSocialSignature;

/** Longest values of `notificationDetails` that are stored; those of known hosts have about a hundred characters. */
const MAX_URL = 1024;
const MAX_TOKEN = 512;

const refuse = (part: Part, message: string) => invalidField(part, `The event ${message}`);

const partOf = (message: string): Part => (/^has a (payload|signature) /.exec(message)?.[1] ?? 'header') as Part;

const parse = (encoded: EncodedJsonSocialSignature): Jfs => {
  try {
    return parseJfs(encoded);
  } catch (error) {
    if (error instanceof JfsError) throw refuse(partOf(error.message), error.message);
    throw error;
  }
};

/**
 * @returns the account of the host: the app that requested the user's key
 * @throws AppError 'invalid' for a key that is not an active signer of the account as it is stored
 */
const readClientFid = async (db: Database, { fid, type, key }: Jfs): Promise<number> => {
  if (type !== 'app_key') throw refuse('header', 'must be signed by an app key of the user (type app_key).');
  const clientFid = await selectAppKeyRequester(db, fid, key);
  if (typeof clientFid === 'number') return clientFid;
  if (clientFid === null) throw refuse('header', 'is signed by a key of which no app is known that requested it.');
  if ((await selectExistingFids(db, [fid])).has(fid)) {
    throw refuse('header', `is signed by a key that is no active signer of account ${fid}.`);
  }
  throw refuse(
    'header',
    `is of account ${fid}, which is not stored here, so its keys are unknown: send it again later, or have the operator add the account (CASTELLAN_FIDS).`,
  );
};

const checkDetails = ({ url, token }: NotificationDetails, rule: TargetRule): void => {
  if (token.length === 0 || token.length > MAX_TOKEN) {
    throw refuse('payload', `has a notificationDetails.token without 1 to ${MAX_TOKEN} characters.`);
  }
  const isUrl = url.length <= MAX_URL && URL.canParse(url);
  const problem = isUrl ? targetError(new URL(url), rule) : `is not a URL of at most ${MAX_URL} characters.`;
  if (problem !== undefined)
    throw refuse('payload', `has a notificationDetails.url that cannot be called: it ${problem}`);
};

/**
 * Takes an event that a host sends to the server of a mini app (Mini App specification, "Webhooks"), and stores or
 * disables the user's token. Signed events have no time: the same event with a token again changes nothing, so it
 * cannot enable a token that was disabled since; one without a token may come again, and disables again.
 * @throws AppError 'not_found' for an app without a mini app; 'invalid' with the part that is wrong
 */
export const acceptClientEvent = async (
  { db, networks, rule, clock }: Dependencies,
  appId: string,
  encoded: EncodedJsonSocialSignature,
): Promise<void> => {
  if ((await selectMiniAppDomain(db, appId)) === undefined) {
    throw notFound('There is no mini app at this address: its operator sets one with `castellan app set`.', 'app_id');
  }
  const jfs = parse(encoded);
  const event = readEvent(jfs.payload);
  if (!event) throw refuse('payload', 'is none that a host sends (Mini App specification, "Webhooks").');
  const details = event.notificationDetails;
  if (details) checkDetails(details, rule);
  const clientFid = await readClientFid(db, jfs);
  const problem = await jfsError(jfs, networks);
  if (problem !== undefined) throw refuse('signature', problem);
  const user: ClientUser = { appId, fid: jfs.fid, clientFid };
  const now = new Date(clock());
  if (disablesNotifications(event.event)) {
    await disableClientToken(db, user, now);
    return;
  }
  if (!details) return;
  const digest = digestOf(jfs.encoded);
  if (await isEventOfAnotherApp(db, user, digest)) throw refuse('payload', 'has a token that another app was given.');
  await enableClientToken(db, user, { ...details, digest }, now);
};
