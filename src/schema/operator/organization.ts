import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { nextPage } from '../page.js';
import { stringEnum } from '../string-enum.js';
import { uuid } from './uuid.js';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' });
const units = Type.Integer({ format: 'int64', minimum: 0 });

/** Of an organization or an app. */
export const Label = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

export const OrganizationStatus = stringEnum(['active', 'inactive'], {
  description: 'Keys of an inactive organization are refused.',
});

/** An organization as an operator sees it. */
export const OperatorOrganization = namedObject('OperatorOrganization', {
  uuid,
  name: text,
  status: OrganizationStatus,
  billing_email: nullable(text),
  plan: Type.String({ description: 'Id of the plan whose limits hold now.' }),
  subscription_status: nullable(
    Type.String({ description: 'null: it subscribes to nothing, the default plan holds.' }),
  ),
  next_plan: nullable(Type.String({ description: 'Id of the plan from the end of the period on; null: the same.' })),
  period: Type.Object({ start: time, end: time }),
  compute_units_used: units,
  compute_units_limit: nullable(Type.Integer({ format: 'int64', description: 'A period; null is unlimited.' })),
  created_at: time,
});
export type OperatorOrganization = Static<typeof OperatorOrganization>;

export const OperatorOrganizationResponse = namedObject('OperatorOrganizationResponse', {
  organization: OperatorOrganization,
});

export const OperatorOrganizationsResponse = namedObject('OperatorOrganizationsResponse', {
  organizations: Type.Array(OperatorOrganization, { description: 'Oldest first.' }),
  next: nextPage,
});

export const CreateOrganizationReqBody = namedObject('CreateOrganizationReqBody', {
  name: Label,
  billing_email: Type.Optional(email),
});

export const UpdateOrganizationReqBody = namedObject('UpdateOrganizationReqBody', {
  organization_uuid: uuid,
  name: Type.Optional(Label),
  billing_email: Type.Optional(nullable(email)),
  status: Type.Optional(OrganizationStatus),
});

export const OrganizationPlanReqBody = namedObject('OrganizationPlanReqBody', {
  organization_uuid: uuid,
  plan: Type.String({ description: 'Id or name of a plan, also of one that is not offered.' }),
  is_grant: Type.Optional(
    Type.Boolean({ description: 'Gives the plan at once, and charges nothing until the next period.' }),
  ),
});

export const OrganizationLogResponse = namedObject('OrganizationLogResponse', {
  changes: Type.Array(
    Type.Object({
      at: time,
      action: Type.String({ description: 'Like `organization.made`, `plan.upgraded`, `key.revoked`.' }),
      key_uuid: nullable(
        Type.String({ description: "Key of the request; null: an operator's command, or the service." }),
      ),
      key_name: nullable(text),
      request_id: nullable(text),
      detail: Type.Record(Type.String(), Type.Unknown()),
    }),
    { description: 'Newest first.' },
  ),
});

export const OperatorPlansResponse = namedObject('OperatorPlansResponse', {
  plans: Type.Array(
    Type.Object({
      id: text,
      name: text,
      category: stringEnum(['API', 'STUDIO']),
      price_cents: Type.Integer({ minimum: 0, description: 'US cents a month.' }),
      compute_units: nullable(Type.Integer({ description: 'A month; null is unlimited.' })),
      requests_per_minute: nullable(Type.Integer({ description: 'For each key and operation; null is unlimited.' })),
      webhooks: nullable(Type.Integer({ description: 'Of all apps together; null is unlimited.' })),
      apps: nullable(Type.Integer({ description: 'null is unlimited.' })),
      is_offered: Type.Boolean({ description: 'false: only operators give it.' }),
      is_default: Type.Boolean(),
    }),
  ),
});
