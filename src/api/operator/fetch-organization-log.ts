import Type from 'typebox';
import { OrganizationLogResponse } from '../../schema/operator/organization.js';
import { uuid } from '../../schema/operator/uuid.js';
import { selectAuditEntries } from '../../store/access/audit-log.js';
import { operation } from '../http/operation.js';
import { findOrganization } from './find-organization.js';

const MAX_ROWS = 1000;

export const fetchOrganizationLog = operation({
  id: 'fetch-organization-log',
  path: '/operator/organization/log',
  tags: ['operator'],
  title: 'Get the changes of an organization',
  summary: 'Read what was changed about an organization, its apps and keys: when, with which key and in which request.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({
    organization_uuid: uuid,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_ROWS, default: 50, description: 'Changes at most.' })),
  }),
  response: OrganizationLogResponse,
  errors: [400, 403, 404],
  handle: async ({ query: { organization_uuid: id, limit = 50 } }, services) => {
    await findOrganization(services, id);
    const entries = await selectAuditEntries(services.db, id, limit);
    return {
      changes: entries.map(({ at, action, keyId, keyName, requestId, detail }) => ({
        at: at.toISOString(),
        action,
        key_uuid: keyId,
        key_name: keyName,
        request_id: requestId,
        detail,
      })),
    };
  },
});
