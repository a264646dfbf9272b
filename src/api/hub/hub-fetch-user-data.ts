import { MessageType } from '@farcaster/core';
import Type from 'typebox';
import { notFound } from '../../error.js';
import { MessageSet } from '../../protocol/conflict.js';
import { userDataTypeNames } from '../../protocol/hub-json-enum.js';
import { lookupKey } from '../../protocol/lookup-key.js';
import { HubUserDataAdd, HubUserDataPageResponse, HubUserDataType } from '../../schema/hub-user-data.js';
import { selectEnvelope } from '../../store/hub-message.js';
import { selectMessagesBySet } from '../../store/hub-message-page.js';
import type { Rendered } from '../../view/rendered.js';
import { operation } from '../operation.js';
import type { Services } from '../service.js';
import { messagePage, singleMessage } from './message-page.js';
import { messagePageOf, pageQuery } from './page-query.js';
import { enumOf, fidQuery } from './parameter.js';

const lookup = async (services: Services, fid: number, userDataType: string): Promise<Rendered> => {
  const { set, key } = lookupKey({
    type: MessageType.USER_DATA_ADD,
    userDataBody: { type: enumOf(userDataType, 'user_data_type', userDataTypeNames), value: '' },
  });
  const envelope = await selectEnvelope(services.db, { fid, message_set: set, key }, MessageType.USER_DATA_ADD);
  if (envelope === undefined) throw notFound(`Fid ${fid} has no profile entry ${userDataType}.`, 'user_data_type');
  return singleMessage(services, envelope);
};

export const hubFetchUserData = operation({
  id: 'hub-fetch-user-data',
  method: 'GET',
  path: '/v1/userDataByFid',
  tags: ['Hub UserData'],
  summary: 'Read profile messages of a FID.',
  family: 'hub',
  scope: 'read',
  query: Type.Object({
    fid: fidQuery,
    user_data_type: Type.Optional(
      Type.Union([HubUserDataType, Type.String({ pattern: '^(?:USER_DATA_TYPE_)?\\d{1,9}$' })], {
        description: 'Number or name; all kinds when absent. With it one message is answered, or not_found.',
      }),
    ),
    ...pageQuery,
  }),
  response: Type.Union([HubUserDataAdd, HubUserDataPageResponse]),
  errors: [400, 404],
  handle: async ({ query }, services) => {
    if (query.user_data_type !== undefined) return lookup(services, query.fid, query.user_data_type);
    const page = messagePageOf(query);
    const { userData } = MessageSet;
    const found = await selectMessagesBySet(services.db, query.fid, userData, MessageType.USER_DATA_ADD, page);
    return messagePage(services, found, query);
  },
});
