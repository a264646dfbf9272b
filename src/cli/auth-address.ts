import { AppError } from '../error.js';
import { defineCommand, UsageError } from './command.js';
import { readFidOption } from './fid-option.js';

interface ApproveInput {
  readonly address: string;
  readonly fid: number;
}

export const authAddressApproveCommand = defineCommand<ApproveInput>({
  name: 'auth-address approve',
  store: 'use',
  summary: 'Let an address sign in as an account of the local network, as if the account had approved it on chain',
  configure: (command) =>
    command.argument('<address>', '0x and 40 hex digits').requiredOption('--fid <fid>', 'the account that approves'),
  input: ({ args, options }) => {
    const address = args[0] as string;
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new UsageError('An address is 0x and 40 hex digits.');
    return { address, fid: readFidOption(options.fid) };
  },
  run: async ({ config, openCore }, { address, fid }, output) => {
    const [{ addLocalKey, requireLocalChain }, { authAddressKey }, { KeyType, selectKeyHolder }] = await Promise.all([
      import('./local-chain.js'),
      import('../store/fid-of-address.js'),
      import('../store/signed-key-request.js'),
    ]);
    requireLocalChain(config);
    const core = await openCore();
    const key = authAddressKey(Buffer.from(address.slice(2), 'hex'));
    const holder = await selectKeyHolder(core.db, key, KeyType.authAddress);
    if (holder) {
      const state = holder.active ? 'is' : 'was, until it was removed,';
      throw new AppError('conflict', 'KeyHeld', `${address} ${state} an auth address of account ${holder.fid}.`);
    }
    await addLocalKey(core, { fid, key, keyType: KeyType.authAddress });
    output.line(`${address} is an auth address of account ${fid}.`);
    return 0;
  },
});
