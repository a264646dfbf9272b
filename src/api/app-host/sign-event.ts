import type { Static } from 'typebox';
import { invalidField } from '../../error.js';
import { buildEvent } from '../../miniapp/event.js';
import { digestOf, type SignedHostEvent } from '../../miniapp/host-event.js';
import { makeJfs } from '../../miniapp/jfs.js';
import type { SignerUuidBody } from '../../schema/miniapp/app-host.js';
import type { Services } from '../http/service.js';
import { mintToken } from './mint-token.js';

/**
 * Builds and signs an event with the user's signer, for hosts that let the service sign.
 * @param domain as `readDomain` returns it
 * @throws AppError for an unusable signer, 'invalid' with property `fid` for a signer of another account
 */
export const signEvent = async (
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
