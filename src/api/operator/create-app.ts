import { makeApp } from '../../access/app.js';
import { CreateAppReqBody, OperatorAppResponse } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { findOrganization } from './find-organization.js';
import { appResponse } from './view-app.js';

export const createApp = operation({
  id: 'create-app',
  method: 'POST',
  path: '/operator/apps',
  tags: ['operator'],
  title: 'Make an app',
  summary: 'Make an app for an organization, within its plan; API keys, signers, bans and webhooks belong to an app.',
  cost: { fixed: 0 },
  scope: 'operator',
  body: CreateAppReqBody,
  bodyExample: { organization_uuid: '00000000-0000-4000-8000-000000000001', name: 'Reader' },
  response: OperatorAppResponse,
  errors: [400, 402, 403, 404],
  handle: async ({ id: requestId, body, caller }, services) => {
    const { db, planLimits: limits, clock } = services;
    const { id: organizationId } = await findOrganization(services, body.organization_uuid);
    const { app } = await makeApp(db, {
      organizationId,
      name: body.name.trim(),
      ...(body.fid === undefined ? {} : { fid: body.fid }),
      limits,
      actor: { keyId: caller.keyId, requestId },
      now: new Date(clock()),
    });
    return appResponse(services, app.id);
  },
});
