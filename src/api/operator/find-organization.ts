import { notFound } from '../../error.js';
import { type ListedOrganization, selectOrganizations } from '../../store/access/organization.js';
import type { Services } from '../http/service.js';
import { viewOrganization } from './view-organization.js';

/** @throws AppError 'not_found' for an id that no organization has */
export const findOrganization = async ({ db }: Pick<Services, 'db'>, id: string): Promise<ListedOrganization> => {
  const [found] = await selectOrganizations(db, { id, limit: 1 });
  if (found === undefined) throw notFound(`There is no organization ${id}.`, 'organization_uuid');
  return found;
};

/** @returns the response about one organization. @throws as `findOrganization` */
export const organizationResponse = async (services: Pick<Services, 'db' | 'plans'>, id: string) => ({
  organization: viewOrganization(services.plans, await findOrganization(services, id)),
});
