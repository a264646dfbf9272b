import Type, { type Static } from 'typebox';
import { namedObject } from '../named.js';
import { nullable } from '../nullable.js';
import { MAX_ORIGINS } from '../origin.js';
import { nextPage } from '../page.js';
import { SCOPES } from '../scope.js';
import { stringEnum } from '../string-enum.js';
import { Label } from './organization.js';
import { uuid } from './uuid.js';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const fid = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });
const scopes = Type.Array(stringEnum(SCOPES), { minItems: 1, maxItems: SCOPES.length });

/** An app as an operator sees it. */
export const OperatorApp = namedObject('OperatorApp', {
  uuid,
  organization_uuid: uuid,
  name: text,
  fid: nullable(Type.Integer({ description: "The app's own account." })),
  origins: Type.Array(text, { description: 'Pages that may read with the id of the app.' }),
  sign_in_domains: Type.Array(text, { description: 'Where its users may sign in; empty: anywhere.' }),
  miniapp_domain: nullable(text),
  created_at: time,
});
export type OperatorApp = Static<typeof OperatorApp>;

export const OperatorAppResponse = namedObject('OperatorAppResponse', { app: OperatorApp });
export const OperatorAppsResponse = namedObject('OperatorAppsResponse', {
  apps: Type.Array(OperatorApp, { description: 'Oldest first.' }),
  next: nextPage,
});

export const CreateAppReqBody = namedObject('CreateAppReqBody', {
  organization_uuid: uuid,
  name: Label,
  fid: Type.Optional(fid),
});

export const UpdateAppReqBody = namedObject('UpdateAppReqBody', {
  app_uuid: uuid,
  name: Type.Optional(Label),
  fid: Type.Optional(nullable(fid)),
  origins: Type.Optional(Type.Array(text, { maxItems: MAX_ORIGINS })),
});

export const CreateKeyReqBody = namedObject('CreateKeyReqBody', {
  app_uuid: uuid,
  name: Label,
  scopes: Type.Optional(scopes),
  expires_at: Type.Optional(time),
});
