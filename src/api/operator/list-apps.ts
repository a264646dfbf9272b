import Type from 'typebox';
import { OperatorAppsResponse } from '../../schema/operator/app.js';
import { uuid } from '../../schema/operator/uuid.js';
import { selectApps } from '../../store/access/app.js';
import { operation } from '../http/operation.js';
import { cutRows, pageOf, pageQuery } from './operator-page.js';
import { viewApp } from './view-app.js';

export const listApps = operation({
  id: 'list-apps',
  path: '/operator/apps',
  tags: ['operator'],
  title: 'List apps',
  summary: 'List the apps of this service, or of one organization.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object({ organization_uuid: Type.Optional(uuid), ...pageQuery }),
  response: OperatorAppsResponse,
  errors: [400, 403],
  handle: async ({ query }, { db }) => {
    const page = { ...pageOf(query), organizationId: query.organization_uuid };
    const { rows, next } = cutRows(await selectApps(db, page), query);
    return { apps: rows.map(viewApp), next };
  },
});
