import type { SampleWallets } from '../../api/http/service.js';
import { toHex } from '../../hex.js';
import { findSampleAuthor } from './sample-author.js';

/** The wallets of the sample network's accounts, whose keys are public knowledge. */
export const SAMPLE_WALLETS: SampleWallets = {
  find: async (db, fid) => {
    const author = await findSampleAuthor(db, fid);
    if (author === undefined) return undefined;
    const { address, account } = author.custody;
    return { address: toHex(address), signMessage: (message) => account.signMessage({ message }) };
  },
};
