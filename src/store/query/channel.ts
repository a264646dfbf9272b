import { type Reader, statement } from '../../db/statement.js';

export interface ChannelRow {
  readonly id: string;
  readonly parent_url: string;
  readonly url: string;
  readonly name: string;
  readonly description: string | null;
  readonly image_url: string | null;
  readonly lead_fid: number | null;
  readonly created_at: Date;
}

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
