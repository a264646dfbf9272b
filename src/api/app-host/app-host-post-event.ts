import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import { readDomain } from '../../miniapp/domain.js';
import { buildEvent } from '../../miniapp/event.js';
import { digestOf, type SignedHostEvent, verifyHostEvent } from '../../miniapp/host-event.js';
import { makeJfs } from '../../miniapp/jfs.js';
import { EXAMPLE_SIGNER_UUID } from '../../schema/example.js';
import {
  AppHostPostEventReqBody,
  AppHostPostEventResponse,
  type SignerUuidBody,
} from '../../schema/miniapp/app-host.js';
import { operation } from '../http/operation.js';
import type { Services } from '../http/service.js';
import { mintToken } from './mint-token.js';

type Body = Static<typeof AppHostPostEventReqBody>;

/** Members of an event that the service signs; an event that is already signed must not have them. */
const UNSIGNED = ['event', 'fid', 'signer_uuid'] as const;

/** @throws AppError invalid for a body with members of both forms */
const requireOneForm = (body: Body): void => {
  const extra = UNSIGNED.find((name) => 'signed_message' in body && name in body);
  if (extra === undefined) return;
  const message = `${extra} must be left out beside signed_message: send exactly one of {signed_message}, {${UNSIGNED.join(', ')}}.`;
  throw invalidField(extra, message);
};

/**
 * Builds and signs an event with the user's signer, for hosts that let the service sign.
 * @param domain as `readDomain` returns it
 * @throws AppError for an unusable signer, 'invalid' with property `fid` for a signer of another account
 */
const signEvent = async (
  body: Static<typeof SignerUuidBody>,
  { appId, domain }: { readonly appId: string; readonly domain: string },
  services: Services,
): Promise<SignedHostEvent> => {
  const { event, fid, signer_uuid } = body;
  const signer = await services.signers.use(appId, signer_uuid, 'WRITE_FRAME_ACTION');
  if (signer.fid !== fid) throw invalidField('fid', `fid must be ${signer.fid}, the account of this signer`);
  const isEnabling = event === 'notifications_enabled';
  const built = buildEvent(event, isEnabling ? await mintToken(services, { appId, fid, domain }) : undefined);
  const encoded = makeJfs(signer, JSON.stringify(built));
  return { fid, event: built, encoded, digest: digestOf(encoded), isBuiltHere: true };
};

export const appHostPostEvent = operation({
  id: 'app-host-post-event',
  method: 'POST',
  path: '/v2/social/app_host/user/event/',
  tags: ['App Host'],
  title: 'Deliver an app host event',
  summary: 'Deliver an app host event to the webhook of a mini-app domain; what fails is tried again for a day.',
  cost: { fixed: 20 },
  scope: 'host',
  waitsOutside: true,
  body: AppHostPostEventReqBody,
  bodyExample: {
    signer_uuid: EXAMPLE_SIGNER_UUID,
    app_domain: 'mini-app.example',
    fid: 1,
    event: 'notifications_enabled',
  },
  bodyExampleNote: 'Put the domain of a mini app into `app_domain`.',
  response: AppHostPostEventResponse,
  errors: [400, 404, 500, 502],
  handle: async ({ body, caller }, services) => {
    requireOneForm(body);
    const domain = readDomain(body.app_domain, services.outbound);
    const signed =
      'signed_message' in body
        ? await verifyHostEvent(services, caller, body.signed_message)
        : await signEvent(body, { appId: caller.appId, domain: domain.name }, services);
    await services.hostOutbox.send(caller.appId, domain, signed);
    return { success: true, message: `${signed.event.event} was delivered to ${domain.name}.` };
  },
});
