import { CastType, UserDataType } from '@farcaster/core';
import type { Session } from '../../db/statement.js';
import { MAX_DATA_BYTES } from '../../protocol/limit.js';
import { selectProFids } from '../../store/protocol/account.js';
import type { MessageCandidate } from '../candidate.js';
import type { InvalidOutcome } from '../ingest-outcome.js';
import { decodedOf } from '../stored-message.js';

/** @returns the feature in the message that requires a pro subscription; undefined: none */
const proFeature = ({ message }: MessageCandidate): string | undefined => {
  const { castAddBody, userDataBody } = decodedOf(message).data;
  if (castAddBody?.type === CastType.TEN_K_CAST) return 'A cast of more than 1024 bytes';
  if (castAddBody && message.data.length > MAX_DATA_BYTES)
    return `A cast whose data has more than ${MAX_DATA_BYTES} bytes`;
  return userDataBody?.type === UserDataType.BANNER ? 'A banner' : undefined;
};

/**
 * Rejects features that require a pro subscription, as hubs do (snapchain src/core/validations: cast.rs, message.rs).
 * @param now Unix milliseconds
 */
export const requirePro = async (session: Session, candidates: readonly MessageCandidate[], now: number) => {
  const refused = new Map<MessageCandidate, InvalidOutcome>();
  const asking = candidates.flatMap((candidate) => {
    const feature = proFeature(candidate);
    return feature === undefined ? [] : [{ candidate, feature }];
  });
  if (asking.length === 0) return refused;
  const fids = [...new Set(asking.map(({ candidate }) => candidate.message.fid))];
  const pro = await selectProFids(session, fids, new Date(now));
  for (const { candidate, feature } of asking) {
    const { fid } = candidate.message;
    const detail = `${feature} needs a pro subscription, which fid ${fid} has not.`;
    if (!pro.has(fid)) refused.set(candidate, { status: 'invalid', reason: 'not_pro', detail });
  }
  return refused;
};
