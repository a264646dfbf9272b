import { usernameProofToJson } from '../../protocol/hub-json-proof.js';
import type { UsernameProofRow } from '../../store/username-proof.js';

/** @returns the contract's `HubUserNameProof` of a stored proof. */
export const usernameProofJson = ({ name, ...proof }: UsernameProofRow): object =>
  usernameProofToJson({ ...proof, name: Buffer.from(name, 'utf8') });
