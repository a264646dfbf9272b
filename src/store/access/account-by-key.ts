/**
 * SQL of a join that finds out which account holds a key, or held it, as `k (fid, active)`. The earliest holder counts:
 * anybody can register a public key that they have seen, so later registrations prove nothing. A signer kept here
 * (`m`, the row of managed_signer) that an account approved stays with that account.
 *
 * @param key SQL of the 32 bytes
 * @param keyType SQL of the type: 1 Ed25519 signer, 2 auth address
 */
export const keyHolder = (key: string, keyType: string): string => `
    left join lateral (
      select s.fid, s.active from signer_key s
       where s.key = ${key} and s.key_type = ${keyType} and (m.fid is null or s.fid = m.fid)
       order by s.active desc, s.block_number, s.log_index, s.fid limit 1
    ) k on true`;
