import { makeApp } from '../../access/app.js';
import { EXAMPLE_ORGANIZATION_UUID } from '../../schema/example.js';
import { CreateAppReqBody, OperatorAppResponse } from '../../schema/operator/app.js';
import { operation } from '../http/operation.js';
import { changeOf } from './change.js';
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
  bodyExample: { organization_uuid: EXAMPLE_ORGANIZATION_UUID, name: 'Reader' },
  response: OperatorAppResponse,
  errors: [400, 402, 403, 404],
  handle: async (request, services) => {
    const { body } = request;
    const { db, planLimits: limits } = services;
    const { id: organizationId } = await findOrganization(services, body.organization_uuid);
    const { app } = await makeApp(db, {
      organizationId,
      name: body.name.trim(),
      ...(body.fid === undefined ? {} : { fid: body.fid }),
      limits,
      ...changeOf(request, services),
    });
    return appResponse(services, app.id);
  },
});
