import { decodeMessage } from '../protocol/wire/decode.js';
import { decodeEnvelope } from '../protocol/wire/envelope.js';
import type { Verdict } from '../protocol/verification-result.js';
import type { VerifyPool } from '../protocol/verify/pool.js';
import type { Database } from '../store/database.js';
import type { MessageCandidate } from './candidate.js';
import { holdMessage } from './stored-message.js';
import type { Outcome } from './ingest-outcome.js';
import { refuseWithoutPro } from './kind/pro-subscription.js';

interface ValidatorParts {
  readonly db: Database;
  readonly verify: VerifyPool['verify'];
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Validity = Exclude<Verdict, { ok: false }> | (Extract<Outcome, { status: 'invalid' }> & { readonly ok: false });

/**
 * Checks a message as a hub's `ValidateMessage` does (snapchain `server.rs`): the message itself by the rules of today,
 * and what only accounts with a pro subscription may write. Whether the account and its key are registered, whether there
 * is storage, and claims that only a chain can prove are asked when it is submitted, not here.
 * @returns what checks the bytes of a protobuf `Message`; it throws AppError invalid for bytes that are none
 */
export const createValidator =
  ({ db, verify, now }: ValidatorParts) =>
  async (wire: Uint8Array): Promise<Validity> => {
    const message = decodeMessage(decodeEnvelope(wire));
    const [verdict] = await verify([wire], { isSubmission: true, chainClaims: 'accept' });
    if (verdict?.ok === false) return { ...verdict, status: 'invalid' };
    const options = { source: 'local', announce: false } as const;
    const candidate: MessageCandidate = { kind: 'message', held: holdMessage(message), options };
    const [refused] = (await refuseWithoutPro(db, [candidate], now())).values();
    return refused === undefined ? { ok: true } : { ...refused, ok: false };
  };
