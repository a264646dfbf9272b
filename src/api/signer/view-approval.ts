import { keyGatewayCall } from '../../signer/key-request-signature.js';
import { type KeyState, stateOf } from '../../signer/standing.js';
import { type ApprovalRow, KeyType } from '../../store/access/signed-key-request.js';

/** What the holder of an approval address may know, as JSON; the page shows the same. */
interface Approval {
  readonly status: KeyState;
  /** `signer`: an Ed25519 public key that may write; `auth_address`: an address that may sign in. */
  readonly key_type: 'signer' | 'auth_address';
  readonly key: string;
  readonly deadline: string;
  /** The account of the app that asks. */
  readonly app: { readonly fid: number; readonly username?: string; readonly display_name?: string };
  /** The account that holds the key, or held it. */
  readonly fid?: number;
  /** Who offers to pay for the registration: an account, or the operator of this service. */
  readonly sponsor?: { readonly fid: number } | { readonly service: true };
  /** Where the app goes on after the approval. */
  readonly redirect_url?: string;
  /** The call that the account's custody wallet sends; only while approval is awaited. */
  readonly transaction?: { readonly chain_id: number; readonly to: string; readonly data: string };
  /** Says the same in development, where no chain is needed. */
  readonly command?: string;
}

const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** An auth address is padded with 12 zero bytes. */
const keyOf = ({ key, keyType }: ApprovalRow): string => hex(keyType === KeyType.signer ? key : key.subarray(12));

const commandOf = (row: ApprovalRow): string =>
  row.keyType === KeyType.signer
    ? `castellan signer approve ${row.signerId ?? keyOf(row)} --fid FID`
    : `castellan auth-address approve ${keyOf(row)} --fid FID`;

const callOf = async (row: ApprovalRow): Promise<Approval['transaction']> => {
  const { requestFid, requestSigner, key, signature } = row;
  const deadline = row.deadline.getTime() / 1000;
  const { chainId, to, data } = await keyGatewayCall(
    { requestFid, requestSigner, key, signature, deadline },
    row.keyType,
  );
  return { chain_id: chainId, to, data };
};

const sponsorOf = ({ sponsored, sponsorFid }: ApprovalRow): Pick<Approval, 'sponsor'> => {
  if (sponsored) return { sponsor: { service: true } };
  return sponsorFid === null ? {} : { sponsor: { fid: sponsorFid } };
};

/** @param options `now` in Unix milliseconds; `app` as far as the account is known. */
export const viewApproval = async (
  row: ApprovalRow,
  options: { readonly now: number; readonly app: Approval['app']; readonly approvesLocally: boolean },
): Promise<Approval> => {
  const status = stateOf(row, options.now);
  const transaction = status === 'pending_approval' ? await callOf(row) : undefined;
  return {
    status,
    key_type: row.keyType === KeyType.signer ? 'signer' : 'auth_address',
    key: keyOf(row),
    deadline: row.deadline.toISOString(),
    app: options.app,
    ...(row.fid === null ? {} : { fid: row.fid }),
    ...sponsorOf(row),
    ...(row.redirectUrl === null ? {} : { redirect_url: row.redirectUrl }),
    ...(transaction && { transaction }),
    ...(transaction && options.approvesLocally && { command: commandOf(row) }),
  };
};
