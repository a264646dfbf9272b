import type { SampleWallet, SampleWallets } from '../../api/http/service.js';
import { toHex } from '../../hex.js';
import type { Author } from '../../sample/author.js';
import { findSampleAuthors } from './sample-author.js';

const walletOf = ({ custody: { address, account } }: Author): SampleWallet => ({
  address: toHex(address),
  signMessage: (message) => account.signMessage({ message }),
});

/** The wallets of the sample network's accounts, whose keys are public knowledge. */
export const SAMPLE_WALLETS: SampleWallets = {
  find: async (db, fids) =>
    new Map([...(await findSampleAuthors(db, fids))].map(([fid, author]) => [fid, walletOf(author)])),
};
