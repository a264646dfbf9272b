/**
 * Why a message is refused, and the code by which a hub would refuse it
 * (farcasterxyz/hub-monorepo packages/core/src/validations.ts; snapchain answers `validation_failure` for nearly all).
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
  internal: 'unknown',
} as const;

/** Why a message is refused; `internal` is a fault of ours, met while checking it. */
export type InvalidReason = keyof typeof HUB_ERROR_CODES;

/** What verification says of one message; `detail` tells its submitter what to change. */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: InvalidReason; readonly detail: string };

/** Every reason there is, in an order that stays the same for the life of a process. */
export const INVALID_REASONS = Object.keys(HUB_ERROR_CODES) as readonly InvalidReason[];

/** @returns the `errCode` of the hub error family for a reason */
export const hubErrorCode = (reason: InvalidReason): (typeof HUB_ERROR_CODES)[InvalidReason] => HUB_ERROR_CODES[reason];

/** Thrown inside the checks of one message and caught by `verifyWire`. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly reason: InvalidReason,
    detail: string,
  ) {
    super(detail);
  }
}
