import type { ReactionBody } from '@farcaster/core';
import { ReactionType } from '@farcaster/core';
import type { Static } from 'typebox';
import type { Database } from '../../db/database.js';
import { invalidField, notFound } from '../../error.js';
import type { ReactionReqBody } from '../../schema/social/reaction.js';
import { selectCastAuthor } from '../../store/query/cast.js';
import { readCastHash } from '../cast/cast-hash.js';
import { checkCastUrl } from '../cast/cast-parent.js';

type Request = Static<typeof ReactionReqBody>;

const TYPE = { like: ReactionType.LIKE, recast: ReactionType.RECAST } as const;

/** The protocol identifies a cast by author and hash, so the author must be stored or given. */
const authorOf = async (db: Database, hash: string, given: number | undefined): Promise<number> => {
  const stored = await selectCastAuthor(db, hash);
  if (stored === undefined && given === undefined) {
    const advice = 'Send target_author_fid with it, where the cast is known to be on the network.';
    throw notFound(`No cast with the hash of target is stored. ${advice}`, 'target');
  }
  if (stored !== undefined && given !== undefined && stored !== given) {
    throw invalidField('target_author_fid', `target_author_fid must be ${stored}, who wrote the cast`);
  }
  return stored ?? (given as number);
};

/**
 * Reads the target of a reaction: a cast by its hash, or a URL.
 * @throws AppError 'invalid' or 'not_found', with the wrong member as property
 */
export const readReaction = async (db: Database, request: Request): Promise<ReactionBody> => {
  const { reaction_type, target, target_author_fid: authorFid } = request;
  const type = TYPE[reaction_type];
  const hash = readCastHash(target);
  if (hash !== undefined) {
    return { type, targetCastId: { fid: await authorOf(db, hash, authorFid), hash: Buffer.from(hash, 'hex') } };
  }
  if (authorFid !== undefined) {
    throw invalidField('target_author_fid', 'target_author_fid goes with a target that is a cast hash');
  }
  if (!URL.canParse(target)) {
    throw invalidField('target', 'target must be a cast hash (0x and 40 hex digits) or an absolute URL');
  }
  checkCastUrl(target, 'target', 'target');
  return { type, targetUrl: target };
};
