import { HUBBLE_BULK } from './hubble-bulk.js';
import { HUBBLE_CAST } from './hubble-cast.js';
import { HUBBLE_EVENT } from './hubble-event.js';
import { HUBBLE_HTTP } from './hubble-http.js';
import { HUBBLE_HTTP_ACCOUNT } from './hubble-http-account.js';
import { HUBBLE_LINK } from './hubble-link.js';
import { HUBBLE_REACTION } from './hubble-reaction.js';
import { HUBBLE_BUFFER, HUBBLE_SERVER, HUBBLE_SYNC } from './hubble-server.js';
import { HUBBLE_FIDS, HUBBLE_SIGNER } from './hubble-signer.js';
import { HUBBLE_AUTH, HUBBLE_CONCURRENCY, HUBBLE_SUBMIT } from './hubble-submit.js';
import { HUBBLE_USER_DATA, HUBBLE_VERIFICATION } from './hubble-user-data.js';
import { SNAPCHAIN_ACCOUNT, SNAPCHAIN_FIDS, SNAPCHAIN_STORAGE } from './snapchain-account.js';
import { SNAPCHAIN_CAST, SNAPCHAIN_LEND } from './snapchain-cast.js';
import { SNAPCHAIN_CHANNEL_FOLLOW } from './snapchain-channel-follow.js';
import { SNAPCHAIN_CHANNEL_MESSAGE } from './snapchain-channel-message.js';
import { SNAPCHAIN_CHANNEL_OWNER, SNAPCHAIN_CHANNEL_PAGE } from './snapchain-channel-owner.js';
import { SNAPCHAIN_CHANNEL_SCENARIO } from './snapchain-channel-scenario.js';
import { SNAPCHAIN_EVENT } from './snapchain-event.js';
import { SNAPCHAIN_HTTP } from './snapchain-http.js';
import { SNAPCHAIN_SIGNER } from './snapchain-signer.js';
import { SNAPCHAIN_SUBMIT } from './snapchain-submit.js';

/** In the order in which they are tried: the first ones see the service while it is empty. */
export const HUBBLE = [
  ...[HUBBLE_FIDS, HUBBLE_CAST, HUBBLE_REACTION, HUBBLE_LINK, HUBBLE_USER_DATA, HUBBLE_VERIFICATION, HUBBLE_BULK],
  ...[HUBBLE_SIGNER, HUBBLE_SUBMIT, HUBBLE_AUTH, HUBBLE_CONCURRENCY, HUBBLE_SERVER, HUBBLE_SYNC, HUBBLE_BUFFER],
  ...[HUBBLE_EVENT, HUBBLE_HTTP, HUBBLE_HTTP_ACCOUNT],
];

export const SNAPCHAIN = [
  ...[SNAPCHAIN_FIDS, SNAPCHAIN_CAST, SNAPCHAIN_LEND, SNAPCHAIN_EVENT, SNAPCHAIN_STORAGE, SNAPCHAIN_ACCOUNT],
  ...[SNAPCHAIN_SIGNER, SNAPCHAIN_SUBMIT],
];

export const CHANNELS = [
  ...[SNAPCHAIN_CHANNEL_OWNER, SNAPCHAIN_CHANNEL_PAGE, SNAPCHAIN_CHANNEL_MESSAGE, SNAPCHAIN_CHANNEL_FOLLOW],
  ...[SNAPCHAIN_CHANNEL_SCENARIO, SNAPCHAIN_HTTP],
];
