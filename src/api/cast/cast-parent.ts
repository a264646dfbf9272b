import type { CastId } from '@farcaster/core';
import { invalidField, notFound } from '../../error.js';
import { MAX_URL_BYTES } from '../../protocol/limit.js';
import { selectCasts } from '../../store/query/cast.js';
import { selectChannelsById } from '../../store/query/channel.js';
import type { Database } from '../../store/database.js';
import { readCastHash } from './cast-hash.js';

/** The members of a request that say where a cast goes. */
interface Place {
  readonly parent?: string;
  readonly parent_author_fid?: number;
  readonly channel_id?: string;
}

/**
 * Text that goes into a cast as a URL: hubs bound its length alone, but what is none would be of no use to readers.
 * @throws AppError 'invalid' with the given property
 */
export const checkCastUrl = (url: string, path: string, property: string): void => {
  const bytes = Buffer.byteLength(url);
  if (bytes > MAX_URL_BYTES) {
    throw invalidField(property, `${path} must have at most ${MAX_URL_BYTES} bytes, this has ${bytes}`);
  }
  if (!URL.canParse(url)) throw invalidField(property, `${path} must be an absolute URL, https://...`);
};

const channelUrl = async (db: Database, id: string): Promise<string> => {
  const [channel] = await selectChannelsById(db, [id]);
  if (channel === undefined) throw notFound(`No channel of the id ${JSON.stringify(id)} is stored.`, 'channel_id');
  return channel.parent_url;
};

/** @returns the cast that is answered. @throws AppError 'not_found' unless its author can be found or is given. */
const parentCast = async (
  db: Database,
  hash: string,
  { parent_author_fid: fid, channel_id: channel }: Place,
): Promise<CastId> => {
  const [stored] = await selectCasts(db, [hash]);
  if (stored === undefined && fid === undefined) {
    throw notFound('The parent cast is not stored. Send parent_author_fid to answer it all the same.', 'parent');
  }
  if (stored !== undefined && fid !== undefined && stored.fid !== fid) {
    throw invalidField('parent_author_fid', `parent_author_fid must be ${stored.fid}, who wrote the parent cast`);
  }
  if (channel !== undefined && (await channelUrl(db, channel)) !== stored?.root_parent_url) {
    throw invalidField('channel_id', 'channel_id must be absent in a reply: it belongs where its thread began');
  }
  return { fid: stored?.fid ?? (fid as number), hash: Buffer.from(hash, 'hex') };
};

/**
 * Where a cast goes. It has one parent: `parent` is a cast's hash or a URL, `channel_id` stands for the channel's URL.
 * Both may be given when they say the same: the channel's URL, or a cast of a thread that began in the channel.
 * @throws AppError 'invalid' or 'not_found' whose property is the member at fault
 */
export const readCastParent = async (db: Database, place: Place): Promise<CastId | string | undefined> => {
  const { parent, parent_author_fid: authorFid, channel_id: channel } = place;
  const hash = parent === undefined ? undefined : readCastHash(parent);
  if (hash !== undefined) return parentCast(db, hash, place);
  if (authorFid !== undefined) {
    throw invalidField('parent_author_fid', 'parent_author_fid goes with a parent that is a cast hash');
  }
  if (parent !== undefined) {
    if (!URL.canParse(parent)) {
      throw invalidField('parent', 'parent must be a cast hash (0x and 40 hex digits) or an absolute URL');
    }
    checkCastUrl(parent, 'parent', 'parent');
  }
  const url = channel === undefined ? parent : await channelUrl(db, channel);
  if (parent !== undefined && parent !== url) {
    throw invalidField('channel_id', 'channel_id and parent name different places: send one of them');
  }
  return url;
};
