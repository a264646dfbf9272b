import { httpUrl, type Parse } from '../parse.js';
import { RPC_VARIABLES } from '../rpc.js';
import { optional, variable } from '../variable-row.js';

/** A factory of subscription contracts in addition to the public ones. */
export interface ConfiguredFactory {
  readonly network: keyof typeof RPC_VARIABLES;
  /** Lower case. */
  readonly address: `0x${string}`;
  /** No contract of it is older than this block. */
  readonly startBlock: number;
}

const isNetwork = (name: string): name is keyof typeof RPC_VARIABLES => Object.hasOwn(RPC_VARIABLES, name);

/** Factories as `network:address` or `network:address@block`, separated by commas. */
const stpFactories: Parse<readonly ConfiguredFactory[]> = (text, report) => {
  const factories: ConfiguredFactory[] = [];
  for (const word of text.split(',').map((item) => item.trim())) {
    const [, network = '', address, block = '0'] = /^([a-z-]+):(0x[0-9a-f]{40})(?:@(\d{1,12}))?$/i.exec(word) ?? [];
    if (address === undefined || !isNetwork(network)) {
      const names = Object.keys(RPC_VARIABLES).join(', ');
      report(`"${word}" is not of the form base:0x...@12345 with one of the networks ${names}.`);
    } else {
      factories.push({ network, address: address.toLowerCase() as `0x${string}`, startBlock: Number(block) });
    }
  }
  return factories;
};

/** Variables of subscription tokens. */
export const STP_VARIABLES = {
  CASTELLAN_STP_FACTORIES: variable<readonly ConfiguredFactory[]>(
    stpFactories,
    [],
    'Factories of subscription contracts (STP) in addition to the public ones on Ethereum, OP Mainnet and Base, separated by commas: `base:0x...@12345`, where 12345 is a block before the first contract of the factory ([subscriptions](subscriptions-onchain.md)).',
    'none',
  ),
  CASTELLAN_IPFS_GATEWAY: optional(
    httpUrl,
    'Serves `ipfs://` addresses of metadata and pictures of subscription contracts.',
    'https://ipfs.io',
  ),
};
