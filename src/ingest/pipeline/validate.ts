import type { Database } from '../../db/database.js';
import type { VerificationResult } from '../../protocol/verification-result.js';
import type { VerifyPool } from '../../protocol/verify/pool.js';
import { decodeMessage } from '../../protocol/wire/decode.js';
import { decodeEnvelope } from '../../protocol/wire/envelope.js';
import type { MessageCandidate } from '../candidate.js';
import type { IngestOutcome } from '../ingest-outcome.js';
import { requirePro } from '../kind/pro-subscription.js';
import { toStoredMessage } from '../stored-message.js';

interface ValidatorDependencies {
  readonly db: Database;
  readonly verify: VerifyPool['verify'];
  /** Unix milliseconds. */
  readonly now: () => number;
}

type Validity =
  | Exclude<VerificationResult, { ok: false }>
  | (Extract<IngestOutcome, { status: 'invalid' }> & { readonly ok: false });

/**
 * Checks a message as a hub's `ValidateMessage` does (snapchain `server.rs`): the message itself by the current rules,
 * and features that require a pro subscription. Registration, keys, storage and claims about chains are checked only by
 * a submission.
 * @returns a function that checks the bytes of a protobuf `Message` and throws AppError invalid for other bytes
 */
export const createValidator =
  ({ db, verify, now }: ValidatorDependencies) =>
  async (wire: Uint8Array): Promise<Validity> => {
    const message = decodeMessage(decodeEnvelope(wire));
    const [result] = await verify([wire], { isSubmission: true, chainClaims: 'accept' });
    if (result?.ok === false) return { ...result, status: 'invalid' };
    const options = { source: 'local', announce: false } as const;
    const candidate: MessageCandidate = { kind: 'message', message: toStoredMessage(message), options };
    const [refused] = (await requirePro(db, [candidate], now())).values();
    return refused === undefined ? { ok: true } : { ...refused, ok: false };
  };
