/**
 * Why a message is rejected, with the error code of hubs (farcasterxyz/hub-monorepo packages/core/src/validations.ts;
 * snapchain responds with `validation_failure` to nearly all).
 */
const HUB_ERROR_CODES = {
  parse_failure: 'bad_request.parse_failure',
  too_large: 'bad_request.validation_failure',
  unsupported_hash_scheme: 'bad_request.validation_failure',
  bad_hash: 'bad_request.validation_failure',
  not_canonical: 'bad_request.validation_failure',
  unsupported_signature_scheme: 'bad_request.validation_failure',
  bad_signer: 'bad_request.validation_failure',
  bad_signature: 'bad_request.validation_failure',
  bad_type: 'bad_request.validation_failure',
  bad_fid: 'bad_request.validation_failure',
  bad_network: 'bad_request.validation_failure',
  future_timestamp: 'bad_request.validation_failure',
  stale_timestamp: 'bad_request.validation_failure',
  wrong_body: 'bad_request.invalid_param',
  bad_text: 'bad_request.validation_failure',
  bad_embed: 'bad_request.validation_failure',
  bad_mention: 'bad_request.validation_failure',
  bad_url: 'bad_request.invalid_param',
  bad_target: 'bad_request.validation_failure',
  bad_reaction: 'bad_request.validation_failure',
  bad_link_type: 'bad_request.validation_failure',
  bad_user_data: 'bad_request.validation_failure',
  bad_username: 'bad_request.validation_failure',
  bad_address: 'bad_request.validation_failure',
  bad_claim: 'bad_request.validation_failure',
  unverifiable_claim: 'bad_request.validation_failure',
  bad_frame_action: 'bad_request.validation_failure',
  bad_storage_lend: 'bad_request.validation_failure',
  bad_key: 'bad_request.validation_failure',
  bad_channel: 'bad_request.validation_failure',
  internal: 'unknown',
} as const;

/** Why a message is rejected; `internal` is an error of this service during verification. */
export type InvalidReason = keyof typeof HUB_ERROR_CODES;

/** Result of the verification of one message; `detail` tells its submitter what to change. */
export type VerificationResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: InvalidReason; readonly detail: string };

/** All reasons, in an order that does not change while the process runs. */
export const INVALID_REASONS = Object.keys(HUB_ERROR_CODES) as readonly InvalidReason[];

/** @returns the `errCode` of the hub error family for a reason */
export const hubErrorCode = (reason: InvalidReason): (typeof HUB_ERROR_CODES)[InvalidReason] => HUB_ERROR_CODES[reason];

/** Thrown by the checks of one message and caught by `verifyWire`. */
export class Rejection extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly reason: InvalidReason,
    detail: string,
  ) {
    super(detail);
  }
}
