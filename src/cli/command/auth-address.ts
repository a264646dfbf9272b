import { AppError } from '../../error.js';
import { readFidOption } from '../option/fid.js';
import { defineCommand, UsageError } from '../terminal/command.js';

/** @throws UsageError for an invalid address */
const readAddress = (text: unknown): string => {
  if (typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text)) return text;
  throw new UsageError('An address is 0x and 40 hex digits.');
};

const bytesOf = (address: string): Buffer => Buffer.from(address.slice(2), 'hex');

export const authAddressApproveCommand = defineCommand({
  name: 'auth-address approve',
  summary: 'Let an address sign in as an account of the local network, as if the account had approved it on chain',
  examples: [
    [
      'castellan auth-address approve 0x00000000000000000000000000000000000000fe --fid 2',
      'let it sign in as account 2',
    ],
    [
      'castellan auth-address approve 0x00000000000000000000000000000000000000fe --fid 2 --json',
      'print what was done as JSON',
    ],
  ],
  configure: (command) =>
    command.argument('<address>', '0x and 40 hex digits').requiredOption('--fid <fid>', 'the account that approves'),
  input: ({ args, options }) => ({ address: readAddress(args[0]), fid: readFidOption(options.fid) }),
  run: async ({ config, openCore }, { address, fid }, output) => {
    const [{ addLocalKey, requireLocalChain }, { authAddressKey }, { KeyType, selectAccountByKey }] = await Promise.all(
      [
        import('../dev/local-chain.js'),
        import('../../store/access/fid-of-address.js'),
        import('../../store/access/signed-key-request.js'),
      ],
    );
    requireLocalChain(config);
    const core = await openCore();
    const key = authAddressKey(bytesOf(address));
    const holder = await selectAccountByKey(core.db, key, KeyType.authAddress);
    if (holder) {
      const state = holder.active ? 'is' : 'was, until it was removed,';
      throw new AppError('conflict', 'KeyHeld', `${address} ${state} an auth address of account ${holder.fid}.`);
    }
    await addLocalKey(core, { fid, key, keyType: KeyType.authAddress });
    output.result({ address, fid }, `${address} is an auth address of account ${fid}.`);
  },
});

export const authAddressRevokeCommand = defineCommand({
  name: 'auth-address revoke',
  summary: 'Take an auth address from its account of the local network, as if the account had removed it on chain',
  examples: [
    ['castellan auth-address revoke 0x00000000000000000000000000000000000000fe', 'let it sign in no longer'],
    [
      "castellan auth-address revoke 0x00000000000000000000000000000000000000fe --json | jq '.fid'",
      'print whose it was',
    ],
  ],
  configure: (command) => command.argument('<address>', '0x and 40 hex digits'),
  input: ({ args }) => ({ address: readAddress(args[0]) }),
  run: async ({ config, openCore }, { address }, output) => {
    const [{ removeLocalKey, requireLocalChain }, { authAddressKey }, { KeyType, selectAccountByKey }] =
      await Promise.all([
        import('../dev/local-chain.js'),
        import('../../store/access/fid-of-address.js'),
        import('../../store/access/signed-key-request.js'),
      ]);
    requireLocalChain(config);
    const core = await openCore();
    const key = authAddressKey(bytesOf(address));
    const holder = await selectAccountByKey(core.db, key, KeyType.authAddress);
    if (!holder?.active) {
      throw new AppError('conflict', 'NotApproved', `${address} is an auth address of no account.`);
    }
    await removeLocalKey(core, { fid: holder.fid, key, keyType: KeyType.authAddress });
    const text = `${address} is revoked; it was an auth address of account ${holder.fid}.`;
    output.result({ address, fid: holder.fid }, text);
  },
});
