import { INVALID_REASONS, type VerificationResult } from '../verification-result.js';
import type { VerifyOptions } from './verify.js';

/** A part of a batch for a worker, with all messages in one buffer, which is transferred without copying. */
export interface VerifyJob {
  readonly id: number;
  readonly options: VerifyOptions;
  /** Message i is in `bytes` from `offsets[i]` to `offsets[i + 1]`. */
  readonly offsets: Uint32Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A worker's response. */
export interface VerifyResponse {
  readonly id: number;
  /** 0 for each valid message, else 1 plus the index of the reason in `INVALID_REASONS`. */
  readonly codes: Uint8Array<ArrayBuffer>;
  /** Of the rejected messages, in order. */
  readonly details: readonly string[];
}

export const packJob = (id: number, wires: readonly Uint8Array[], options: VerifyOptions): VerifyJob => {
  const offsets = new Uint32Array(wires.length + 1);
  let end = 0;
  for (const [index, wire] of wires.entries()) {
    end += wire.length;
    offsets[index + 1] = end;
  }
  const bytes = new Uint8Array(end);
  for (const [index, wire] of wires.entries()) bytes.set(wire, offsets[index]);
  return { id, options, offsets, bytes };
};

/** @returns the messages of a job as views into its buffer */
export const unpackJob = ({ offsets, bytes }: VerifyJob): Uint8Array[] =>
  Array.from({ length: offsets.length - 1 }, (_, index) => bytes.subarray(offsets[index], offsets[index + 1]));

export const encodeResponse = (id: number, results: readonly VerificationResult[]): VerifyResponse => {
  const details: string[] = [];
  const codes = Uint8Array.from(results, (result) => {
    if (result.ok) return 0;
    details.push(result.detail);
    return 1 + INVALID_REASONS.indexOf(result.reason);
  });
  return { id, codes, details };
};

export const decodeResponse = ({ codes, details }: VerifyResponse): VerificationResult[] => {
  const rest = details.values();
  return Array.from(codes, (code) => {
    const reason = INVALID_REASONS[code - 1];
    return reason === undefined ? { ok: true } : { ok: false, reason, detail: rest.next().value ?? '' };
  });
};
