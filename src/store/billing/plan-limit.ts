import { selectQuery } from '../query-function.js';

/** @returns the apps of an organization */
export const selectAppCount = selectQuery(
  'app_count_of_organization',
  'select count(*)::integer as count from app where organization_id = :organizationId',
).valueOr('count', 0, (organizationId: string) => ({ organizationId }));

/** @returns the webhooks of all apps of an organization that are not deleted */
export const selectWebhookCount = selectQuery(
  'webhook_count_of_organization',
  `select count(*)::integer as count from webhook w join app a on a.id = w.app_id
    where a.organization_id = :organizationId and w.deleted_at is null`,
).valueOr('count', 0, (organizationId: string) => ({ organizationId }));
