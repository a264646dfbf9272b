import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import type { ReadContext } from '../../../cache/read-context.js';
import { notFound } from '../../../error.js';
import { MessageSet } from '../../../protocol/conflict.js';
import { userDataTypeNames } from '../../../protocol/hub-json/enum.js';
import { lookupKey } from '../../../protocol/lookup-key.js';
import { HubUserDataAdd, HubUserDataPageResponse, HubUserDataType } from '../../../schema/hub/user-data.js';
import { selectEnvelope } from '../../../store/hub/message.js';
import { selectMessagesBySet } from '../../../store/hub/message-page.js';
import { operation } from '../../http/operation.js';
import { messagePageOf, messagePageQuery } from '../page-query.js';
import { enumOf, fidQuery } from '../parameter.js';
import { AUTHOR_TEXT } from '../parameter-text.js';
import { messagePage, singleMessage } from './page.js';

const lookup = async (read: ReadContext, fid: number, userDataType: string): Promise<Buffer> => {
  const { set, key } = lookupKey({
    type: MessageType.USER_DATA_ADD,
    userDataBody: { type: enumOf(userDataType, 'user_data_type', userDataTypeNames), value: '' },
  });
  const envelope = await selectEnvelope(read, { fid, messageSet: set, key }, MessageType.USER_DATA_ADD);
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
    const page = messagePageOf(query);
    const { userData } = MessageSet;
    const found = await selectMessagesBySet(read, query.fid, userData, MessageType.USER_DATA_ADD, page);
    return messagePage(read, found, query);
  },
});
