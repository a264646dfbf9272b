import Type from 'typebox';
import type { ReadContext } from '../../../cache/read-context.js';
import { notFound } from '../../../error.js';
import { userDataTypeNames } from '../../../protocol/hub-json/enum.js';
import { HubUserDataAdd, HubUserDataPageResponse, HubUserDataType } from '../../../schema/hub/user-data.js';
import { operation } from '../../http/operation.js';
import { messagePageQuery } from '../page-query.js';
import { enumOf, fidQuery } from '../parameter.js';
import { AUTHOR_TEXT } from '../parameter-text.js';
import { userDataOf } from './list.js';
import { renderMessagePage, singleMessage } from './page.js';
import { findUserData } from './single.js';

const lookup = async (read: ReadContext, fid: number, userDataType: string): Promise<Buffer> => {
  const envelope = await findUserData(read, fid, enumOf(userDataType, 'user_data_type', userDataTypeNames));
  if (envelope === undefined) throw notFound(`Fid ${fid} has no profile entry ${userDataType}.`, 'user_data_type');
  return singleMessage(read, envelope);
};

export const hubFetchUserData = operation({
  id: 'hub-fetch-user-data',
  path: '/v1/userDataByFid',
  tags: ['Hub UserData'],
  title: 'List profile messages',
  summary: 'Read profile messages of a FID.',
  cost: { fixed: 10 },
  query: Type.Object({
    fid: fidQuery,
    user_data_type: Type.Optional(
      Type.Union([HubUserDataType, Type.String({ pattern: '^(?:USER_DATA_TYPE_)?\\d{1,9}$' })], {
        description: 'Number or name; all kinds when absent. With it one message is answered, or not_found.',
      }),
    ),
    ...messagePageQuery,
  }),
  parameters: { fid: AUTHOR_TEXT },
  response: Type.Union([HubUserDataAdd, HubUserDataPageResponse]),
  errors: [400, 404],
  read: async ({ query }, read) => {
    if (query.user_data_type !== undefined) return lookup(read, query.fid, query.user_data_type);
    return renderMessagePage(read, await userDataOf(read, query.fid, query));
  },
});
