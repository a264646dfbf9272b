import { usernameProofToJson } from '../../../protocol/hub-json/proof.js';
import type { UsernameProofRow } from '../../../store/protocol/username-proof.js';

export const usernameProofJson = ({ name, ...proof }: UsernameProofRow): object =>
  usernameProofToJson({ ...proof, name: Buffer.from(name, 'utf8') });
