import { toHex } from '../../hex.js';
import { keyGatewayCall } from '../../signer/key-request-signature.js';
import { type KeyState, stateOf } from '../../signer/key-state.js';
import { type ApprovalRow, KeyType } from '../../store/access/signed-key-request.js';

/** Approval data for the holder of an approval URL, as JSON; the page shows the same. */
interface Approval {
  readonly status: KeyState;
  /** `signer`: an Ed25519 public key that may write; `auth_address`: an address that may sign in. */
  readonly key_type: 'signer' | 'auth_address';
  readonly key: string;
  readonly deadline: string;
  /** The account of the requesting app. */
  readonly app: { readonly fid: number; readonly username?: string; readonly display_name?: string };
  /** The account that has or had the key. */
  readonly fid?: number;
  /** Who pays for the registration: an account, or the operator of this service. */
  readonly sponsor?: { readonly fid: number } | { readonly service: true };
  /** Whether the operator sends and pays the transaction, so that the wallet only signs its consent. */
  readonly is_sponsored: boolean;
  /** URL of the app after the approval. */
  readonly redirect_url?: string;
  /** The transaction to send from the account's custody wallet; present only while approval is pending. */
  readonly transaction?: { readonly chain_id: number; readonly to: string; readonly data: string };
  /** Command that approves the key in development, where there is no chain. */
  readonly command?: string;
}

/** Auth addresses are padded with 12 zero bytes. */
const keyOf = ({ key, keyType }: ApprovalRow): string => toHex(keyType === KeyType.signer ? key : key.subarray(12));

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

/** @param options `now` in Unix milliseconds; `app` is absent if the account is unknown */
export const viewApproval = async (
  row: ApprovalRow,
  options: {
    readonly now: number;
    readonly app: Approval['app'];
    readonly approvesLocally: boolean;
    readonly isSponsored: boolean;
  },
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
    is_sponsored: status === 'pending_approval' && options.isSponsored,
    ...(row.redirectUrl === null ? {} : { redirect_url: row.redirectUrl }),
    ...(transaction && { transaction }),
    ...(transaction && options.approvesLocally && { command: commandOf(row) }),
  };
};
