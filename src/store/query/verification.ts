import { MessageType } from '@farcaster/core';
import { readQuery } from '../query-function.js';

/**
 * @returns the verified addresses of an account, oldest first; its storage bounds their number. `protocol` is 0 for
 *   Ethereum and 1 for Solana, `address` hex without 0x, `ts` in protocol seconds, and `appFid` the app that signed the
 *   verification; null: unknown
 */
export const selectVerificationsWithApp = readQuery(
  'verification_by_fid',
  `select v.protocol, encode(v.address, 'hex') as "address!", v.ts, k.request_fid as "appFid"
     from verification v
     left join message m on m.fid = v.fid and m.type = ${MessageType.VERIFICATION_ADD_ETH_ADDRESS} and m.subtype = v.protocol
                        and m.ts = v.ts and m.hash = v.hash and not m.void
     left join signer_key k on k.fid = m.fid and k.key = m.signer and k.key_type = 1
    where v.fid = :fid
    order by v.ts, v.hash`,
).rows((fid: number) => ({ fid }));
