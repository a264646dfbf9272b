import { EXAMPLE_SUBSCRIBERS, EXAMPLE_SUBSCRIPTION_CONTRACT, EXAMPLE_VERIFIED_ADDRESS as verified } from './example.js';
import type { ParameterTexts } from './parameter-text-type.js';

const nativeToken = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
/** Test Dollar of the local chain (src/onchain/local/token.ts). */
const localToken = '0xd4b9681c71f57cdecb84f35d9672f55ab0fd38af';

const subscriptionViewer = {
  description: 'The user who looks at the list: accounts hidden from that user are left out.',
};

/** Texts for the parameters of onchain operations, by operation and name. */
export const ONCHAIN_PARAMETERS: Readonly<Record<string, ParameterTexts>> = {
  'simulate-nft-mint': {
    recipients: {
      description: 'JSON text of an array of 1 to 200 recipients, each with `fid` or `address`, and `quantity`.',
      example: '[{"fid":1,"quantity":1}]',
    },
    nft_contract_address: { description: 'The contract to mint from: one that this service deployed.' },
    network: { description: 'The network that the contract is on.', example: 'base' },
  },

  'get-wallet-balances': {
    networks: { description: 'Networks to look at, separated by commas.', example: 'base' },
    address: { description: 'The Ethereum address whose tokens are listed.', example: verified },
  },
  'fetch-user-balance': {
    fid: { description: 'The account whose verified addresses are looked at.', example: 1 },
    networks: { description: 'Networks to look at, separated by commas.', example: 'base' },
  },
  'get-token-metadata': {
    network: { description: 'The network that the token is on.', example: 'base' },
    address: {
      description: "Contract of the token; 0xeeee…eeee is the network's own coin.",
      example: nativeToken,
    },
  },
  'batch-get-token-metadata': {
    networks: { description: 'The network of each address, in the same order, separated by commas.', example: 'base' },
    addresses: { description: 'Contracts of tokens, separated by commas.', example: nativeToken },
  },
  'fetch-fungibles': {
    fungibles: {
      description: 'CAIP-19 ids, `eip155:<chain id>/erc20:<address>`, separated by commas; at most 100.',
      example: `eip155:8453/erc20:${localToken}`,
    },
  },
  'fetch-fungible-trades': {
    network: { description: 'The network that the token is on.', example: 'base' },
    address: { description: "Contract of the token; 0xeeee…eeee is the network's own coin.", example: localToken },
    time_window: { description: 'How far back trades are listed.' },
  },
  'fetch-trending-fungibles': {
    network: { description: 'The network whose tokens are listed.', example: 'base' },
    time_window: { description: 'How far back trades count.' },
  },
  'fetch-relevant-fungible-owners': {
    contract_address: { description: 'Contract of the token.', example: localToken },
    network: { description: 'The network that the token is on.', example: 'base' },
    viewer_fid: { description: 'Lists owners that this user follows; without it, owners with the highest scores.' },
  },
  'fetch-bulk-relevant-fungible-owners': {
    contract_addresses: { description: 'Contracts of up to 10 tokens, separated by commas.', example: localToken },
    network: { description: 'The network that the tokens are on.', example: 'base' },
    viewer_fid: { description: 'Lists owners that this user follows; without it, owners with the highest scores.' },
  },
  'fetch-subscription-check': {
    addresses: {
      description: 'Ethereum addresses, at most 350, separated by commas; the keys of the answer.',
      example: EXAMPLE_SUBSCRIBERS.join(),
    },
    contract_address: { description: 'The subscription contract.', example: EXAMPLE_SUBSCRIPTION_CONTRACT },
    chain_id: { description: 'Chain id of its network in decimal digits; 8453 is Base.', example: '8453' },
  },
  'fetch-subscribed-to-for-fid': {
    fid: { description: 'The subscriber, with all of its addresses.', example: 1 },
    subscription_provider: { description: 'The subscription token protocol.', example: 'stp' },
    viewer_fid: subscriptionViewer,
  },
  'fetch-subscribers-for-fid': {
    fid: { description: 'The owner of the contracts.', example: 1 },
    subscription_provider: {
      description: 'The subscription token protocol. Subscribers of newsletters are not public, so that list is empty.',
      example: 'stp',
    },
    viewer_fid: subscriptionViewer,
  },
  'fetch-subscriptions-for-fid': {
    fid: { description: 'The owner of the contracts.', example: 1 },
    subscription_provider: { description: 'The subscription token protocol.', example: 'stp' },
  },
};
