import { accountRoutes } from './account/routes.js';
import { actionRoutes } from './action/routes.js';
import { appHostRoutes } from './app-host/routes.js';
import { authAddressRoutes } from './auth-address/routes.js';
import { banRoutes } from './ban/routes.js';
import { blockRoutes } from './block/routes.js';
import { campaignRoutes } from './campaign/routes.js';
import { castRoutes } from './cast/routes.js';
import { channelRoutes } from './channel/routes.js';
import { feedRoutes } from './feed/routes.js';
import { fnameRoutes } from './fname/routes.js';
import { followRoutes } from './follow/routes.js';
import { frameCatalogRoutes } from './frame-catalog/routes.js';
import { fungibleRoutes } from './fungible/routes.js';
import type { Operation } from './http/operation.js';
import { hubRoutes } from './hub/routes.js';
import { loginRoutes } from './login/routes.js';
import { messageRoutes } from './message/routes.js';
import { muteRoutes } from './mute/routes.js';
import { nftRoutes } from './nft/routes.js';
import { notificationRoutes } from './notification/routes.js';
import { onchainRoutes } from './onchain/routes.js';
import { organizationRoutes } from './organization/routes.js';
import { payFrameRoutes } from './pay-frame/routes.js';
import { paymentRoutes } from './payment/routes.js';
import { reactionRoutes } from './reaction/routes.js';
import { signerRoutes } from './signer/routes.js';
import { storageRoutes } from './storage/routes.js';
import { stpRoutes } from './stp/routes.js';
import { streamRoutes } from './stream/routes.js';
import { subscriptionRoutes } from './subscription/routes.js';
import { systemRoutes } from './system/routes.js';
import { topicRoutes } from './topic/routes.js';
import { userRoutes } from './user/routes.js';
import { webhookRoutes } from './webhook/routes.js';

import { x402Routes } from './x402/routes.js';

/** All routes; add those of a new resource here. */
export const routes: readonly Operation[] = [
  systemRoutes,
  userRoutes,
  accountRoutes,
  storageRoutes,
  fnameRoutes,
  castRoutes,
  channelRoutes,
  feedRoutes,
  followRoutes,
  reactionRoutes,
  notificationRoutes,
  muteRoutes,
  banRoutes,
  blockRoutes,
  signerRoutes,
  authAddressRoutes,
  loginRoutes,
  actionRoutes,
  appHostRoutes,
  frameCatalogRoutes,
  campaignRoutes,
  messageRoutes,
  nftRoutes,
  onchainRoutes,
  fungibleRoutes,
  organizationRoutes,
  stpRoutes,
  subscriptionRoutes,
  paymentRoutes,
  payFrameRoutes,
  x402Routes,
  webhookRoutes,
  streamRoutes,
  topicRoutes,
  hubRoutes,
].flat();
