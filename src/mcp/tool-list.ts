import { readBalances } from './tool/balance.js';
import { deleteCast, publishCast, replyToCast } from './tool/cast.js';
import { moderateChannel } from './tool/channel.js';
import { readFeed } from './tool/feed.js';
import { findChannel, findUser } from './tool/find.js';
import { listFollows } from './tool/follow-list.js';
import { readMessages } from './tool/message.js';
import { listNotifications } from './tool/notification.js';
import { readChannel, readProfile } from './tool/profile.js';
import { follow, reactToCast } from './tool/relation.js';
import { listTrending, searchCasts } from './tool/search.js';
import { readThread } from './tool/thread.js';
import { listWebhooks, manageWebhook } from './tool/webhook.js';
import type { Tool } from './tool.js';

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  findUser,
  findChannel,
  readProfile,
  readChannel,
  readFeed,
  readThread,
  searchCasts,
  listTrending,
  listNotifications,
  listFollows,
  publishCast,
  replyToCast,
  deleteCast,
  reactToCast,
  follow,
  moderateChannel,
  listWebhooks,
  manageWebhook,
  readBalances,
  readMessages,
];
