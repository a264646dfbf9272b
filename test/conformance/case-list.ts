import { accountCases } from './account.js';
import { appCases } from './app.js';
import { billingCases } from './billing.js';
import { campaignCases } from './campaign.js';
import { castCases } from './cast.js';
import { channelCases } from './channel.js';
import { feedCases } from './feed.js';
import { followCases } from './follow.js';
import { fungibleCases } from './fungible.js';
import { hubCases } from './hub.js';
import { miniAppCases } from './mini-app.js';
import { nftCases } from './nft.js';
import { notificationCases } from './notification.js';
import { onchainCases } from './onchain.js';
import { payFrameCases } from './pay-frame.js';
import { profileCases } from './profile.js';
import { publishCases } from './publish.js';
import { reactionCases } from './reaction.js';
import { signerCases } from './signer.js';
import { stpCases } from './stp.js';
import { topicCases } from './topic.js';
import { userCases } from './user.js';
import { visibilityCases } from './visibility.js';
import { webhookCases } from './webhook.js';
import { x402Cases } from './x402.js';

/** All cases, by the test file that tries them (`read.test.ts`); the cases of a file share one service. */
export const caseList = {
  read: [
    ...userCases,
    ...castCases,
    ...feedCases,
    ...followCases,
    ...reactionCases,
    ...notificationCases,
    ...visibilityCases,
    ...webhookCases,
    ...topicCases,
    ...miniAppCases,
  ],
  write: [...signerCases, ...publishCases, ...profileCases, ...channelCases, ...appCases, ...campaignCases],
  account: accountCases,
  hub: hubCases,
  pay: [...stpCases, ...onchainCases, ...fungibleCases, ...nftCases, ...payFrameCases, ...x402Cases, ...billingCases],
};
