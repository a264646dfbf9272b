import type { NotificationDetails } from '../../miniapp/event.js';
import { drawToken } from '../../miniapp/token.js';
import { type HostPair, insertHostToken } from '../../store/host-token.js';
import type { Services } from '../service.js';
import { notifyUrl } from './notify-url.js';

/** How long a host may take to have the event signed that carries the token. */
const LIFE_MS = 3_600_000;

/** @returns a new token, which does nothing before an event that carries it was delivered. */
export const mintToken = async (
  { db, clock, publicUrl, dialect }: Pick<Services, 'db' | 'clock' | 'publicUrl' | 'dialect'>,
  pair: HostPair,
): Promise<NotificationDetails> => {
  const { token, hash } = drawToken();
  const now = clock();
  await insertHostToken(db, { ...pair, hash, mintedAt: new Date(now), lapsesAt: new Date(now + LIFE_MS) });
  return { url: notifyUrl(publicUrl, dialect), token };
};
