import type { SharedSignerPermission, Signer } from '../../schema/social/signer.js';
import type { ManagedSigner } from '../../signer/signers.js';
import { approvalUrl } from './approval-url.js';

/** @returns the wire form of a signer; the account stands in it once the key is, or was, in force. */
export const viewSigner = (signer: ManagedSigner, publicUrl: string): Signer => ({
  object: 'signer',
  signer_uuid: signer.uuid,
  public_key: `0x${Buffer.from(signer.publicKey).toString('hex')}`,
  status: signer.state,
  permissions: [...signer.permissions] as SharedSignerPermission[],
  ...(signer.fid === undefined ? {} : { fid: signer.fid }),
  ...(signer.token === undefined ? {} : { signer_approval_url: approvalUrl(publicUrl, signer.token) }),
});
