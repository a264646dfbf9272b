import { type Reader, statement } from '../../db/statement.js';
import type { Tables } from '../tables.js';

export type ChannelRow = Readonly<Tables['channel']>;

const COLUMNS = 'id, parent_url, url, name, description, image_url, lead_fid, created_at';

const channelsById = statement<ChannelRow>(
  'channel_by_id',
  `select ${COLUMNS} from channel where id = any($1::text[])`,
);

export const selectChannelsById = (db: Reader, ids: readonly string[]): Promise<ChannelRow[]> =>
  db.read(channelsById, [ids]);

const channelsByUrl = statement<ChannelRow>(
  'channel_by_url',
  `select ${COLUMNS} from channel where parent_url = any($1::text[])`,
);

export const selectChannelsByUrl = (db: Reader, parentUrls: readonly string[]): Promise<ChannelRow[]> =>
  db.read(channelsByUrl, [parentUrls]);
