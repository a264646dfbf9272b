import { makeApp } from '../../src/access/app.js';
import { createKey } from '../../src/access/key.js';
import { makeOrganization } from '../../src/access/organization.js';
import { SCOPES, type Scope } from '../../src/schema/scope.js';
import type { Network } from './network.js';

/** An organization of a test, with a key of its own. */
export interface Tenant {
  readonly id: string;
  readonly appId: string;
  readonly keyId: string;
  /** Headers of a request that it sends. */
  readonly headers: { readonly 'x-api-key': string };
}

/** Makes an organization with an app and a key. @param options all scopes unless given */
export const makeTenant = async (
  { app: { services } }: Network,
  name: string,
  options: { readonly email?: string; readonly scopes?: readonly Scope[] } = {},
): Promise<Tenant> => {
  const { db, clock } = services;
  const now = new Date(clock());
  const billing = options.email === undefined ? {} : { billingEmail: options.email };
  const { id } = await makeOrganization(db, { name, now, ...billing });
  const { app } = await makeApp(db, { name: `${name} app`, organizationId: id, now });
  const key = await createKey(db, { name: `${name} key`, appId: app.id, scopes: options.scopes ?? SCOPES, now });
  return { id, appId: app.id, keyId: key.id, headers: { 'x-api-key': key.secret } };
};
