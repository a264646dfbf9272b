import { toHex } from '../../hex.js';
import type { SharedSignerPermission, Signer } from '../../schema/social/signer.js';
import type { ManagedSigner } from '../../signer/signers.js';
import { approvalUrl } from './approval-url.js';

/** @returns the signer for responses; it has the account only if the key is or was active */
export const viewSigner = (signer: ManagedSigner, publicUrl: string): Signer => ({
  object: 'signer',
  signer_uuid: signer.uuid,
  public_key: toHex(signer.publicKey),
  status: signer.state,
  permissions: [...signer.permissions] as SharedSignerPermission[],
  ...(signer.fid === undefined ? {} : { fid: signer.fid }),
  ...(signer.token === undefined ? {} : { signer_approval_url: approvalUrl(publicUrl, signer.token) }),
});
