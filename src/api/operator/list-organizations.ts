import Type from 'typebox';
import { OperatorOrganizationsResponse } from '../../schema/operator/organization.js';
import { selectOrganizations } from '../../store/access/organization.js';
import { operation } from '../http/operation.js';
import { cutRows, pageOf, pageQuery } from './operator-page.js';
import { viewOrganization } from './view-organization.js';

export const listOrganizations = operation({
  id: 'list-organizations',
  path: '/operator/organizations',
  tags: ['operator'],
  title: 'List organizations',
  summary: 'List the organizations of this service: plans, what they used of them, when their periods end.',
  cost: { fixed: 0 },
  scope: 'operator',
  query: Type.Object(pageQuery),
  response: OperatorOrganizationsResponse,
  errors: [400, 403],
  handle: async ({ query }, { db, plans }) => {
    const { rows, next } = cutRows(await selectOrganizations(db, pageOf(query)), query);
    return { organizations: rows.map((row) => viewOrganization(plans, row)), next };
  },
});
