import type { CastId } from '@farcaster/core';
import type { Database } from '../../db/database.js';
import { invalidField, notFound } from '../../error.js';
import { MAX_URL_BYTES } from '../../protocol/limit.js';
import { selectChannelsById } from '../../store/channel/channel.js';
import { selectChannelSpellings } from '../../store/channel/spelling.js';
import { selectCasts } from '../../store/query/cast.js';
import { channelIdOf } from '../feed/channel-url.js';
import { readCastHash } from './cast-hash.js';

/** Members of a request that decide the parent of a cast. */
interface Place {
  readonly parent?: string;
  readonly parent_author_fid?: number;
  readonly channel_id?: string;
}

/**
 * Checks a URL of a cast. Hubs only limit its length, but readers could not use an invalid URL.
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
  const [channel] = await selectChannelsById(db, [channelIdOf(id)]);
  if (channel === undefined) throw notFound(`No channel of the id ${JSON.stringify(id)} is stored.`, 'channel_id');
  return channel.parentUrl;
};

/** @returns whether the URL is one of the channel. @throws AppError 'not_found' for an unknown channel */
const isSpelling = async (db: Database, url: string | null | undefined, id: string): Promise<boolean> => {
  const canonical = await channelUrl(db, id);
  return (
    url === canonical || (await selectChannelSpellings(db, [channelIdOf(id)])).some((spelling) => spelling === url)
  );
};

/** @returns the parent cast. @throws AppError 'not_found' unless its author is stored or given */
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
  if (channel !== undefined && !(await isSpelling(db, stored?.rootParentUrl, channel))) {
    throw invalidField('channel_id', 'channel_id must be absent in a reply: it belongs where its thread began');
  }
  return { fid: stored?.fid ?? (fid as number), hash: Buffer.from(hash, 'hex') };
};

/**
 * Reads the parent of a cast: `parent` is a cast's hash or a URL, `channel_id` means the channel's URL. Both may be
 * given when they agree: `parent` is then the channel's URL or a cast of a thread in the channel.
 * @throws AppError 'invalid' or 'not_found', with the wrong member as property
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
  if (parent !== undefined && channel !== undefined && !(await isSpelling(db, parent, channel))) {
    throw invalidField('channel_id', 'channel_id and parent name different places: send one of them');
  }
  // The caller's own spelling, where it is one of the channel.
  return parent ?? url;
};
