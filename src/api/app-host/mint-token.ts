import type { NotificationDetails } from '../../miniapp/event.js';
import { generateToken } from '../../miniapp/token.js';
import { type HostPair, insertHostToken } from '../../store/miniapp/token.js';
import type { Services } from '../http/service.js';
import { notifyUrl } from './notify-url.js';

/** Maximum time between creating a token and delivering the signed event that contains it. */
const TTL_MS = 3_600_000;

/** @returns a new token, which has no effect until an event that contains it is delivered */
export const mintToken = async (
  { db, clock, publicUrl, dialect }: Pick<Services, 'db' | 'clock' | 'publicUrl' | 'dialect'>,
  pair: HostPair,
): Promise<NotificationDetails> => {
  const { token, hash } = generateToken();
  const now = clock();
  await insertHostToken(db, { ...pair, hash, mintedAt: new Date(now), lapsesAt: new Date(now + TTL_MS) });
  return { url: notifyUrl(publicUrl, dialect), token };
};
