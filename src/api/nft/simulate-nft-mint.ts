import Type from 'typebox';
import { type AppError, invalidFields, type Problem } from '../../error.js';
import { checkedAddress } from '../../onchain/checked-address.js';
import { resolveRecipients } from '../../onchain/nft/mint-recipient.js';
import { simulateBatch } from '../../onchain/nft/mint-simulation.js';
import { EthAddress } from '../../schema/address.js';
import { NftMintRecipient, RECIPIENTS_MAX, SimulateNftMintResponse } from '../../schema/onchain/nft-mint.js';
import { NftNetwork } from '../../schema/onchain/nft-network.js';
import { createListCheck } from '../http/list-validation.js';
import { operation } from '../http/operation.js';

const NAME = 'recipients';
const checkEntries = createListCheck(NftMintRecipient);

const refuse = (expected: string, received: string): AppError =>
  invalidFields([{ code: 'InvalidField', expected, received, path: [NAME], message: `${NAME} must be ${expected}` }]);

/** @throws AppError invalid with a problem for each entry that is not a valid recipient */
const readRecipients = (text: string): NftMintRecipient[] => {
  const expected = `JSON text of a list of 1 to ${RECIPIENTS_MAX} recipients, like [{"fid":1,"quantity":2}]`;
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw refuse(expected, 'text that is no JSON');
  }
  if (!Array.isArray(list)) throw refuse(expected, list === null ? 'null' : typeof list);
  if (list.length < 1 || list.length > RECIPIENTS_MAX) throw refuse(expected, `a list of ${list.length}`);
  const [first, ...others]: Problem[] = checkEntries(list, NAME);
  if (first) throw invalidFields([first, ...others]);
  return list;
};

export const simulateNftMint = operation({
  id: 'simulate-nft-mint',
  path: '/v2/social/nft/mint/',
  tags: ['NFTs'],
  title: 'Simulate a mint',
  summary: 'Simulate a mint to up to 200 recipients: calldata, value and cost for each of them, nothing is sent.',
  cost: { fixed: 10 },
  waitsOutside: true,
  query: Type.Object({
    recipients: Type.String(),
    nft_contract_address: EthAddress,
    network: NftNetwork,
  }),
  parameters: {
    recipients: {
      description: 'JSON text of an array of 1 to 200 recipients, each with `fid` or `address`, and `quantity`.',
      example: '[{"fid":1,"quantity":1}]',
    },
    nft_contract_address: { description: 'The contract to mint from: one that this service deployed.' },
    network: { description: 'The network that the contract is on.', example: 'base' },
  },
  response: SimulateNftMintResponse,
  errors: [400, 404, 500],
  invalidBody: 'validation',
  handle: async ({ query }, { db, networks, clock }) => {
    const requested = readRecipients(query.recipients);
    const property = 'nft_contract_address';
    const { network } = query;
    const contract = checkedAddress(query.nft_contract_address, property);
    const client = networks.client(network, 'network');
    const recipients = await resolveRecipients(db, requested, network, NAME);
    const mints = await simulateBatch(
      { db, client, clock },
      { network, minted: { contract, network, property }, recipients, property: NAME },
    );
    return mints.map(({ call, cost, address, mint, error }, index) => {
      const one = requested[index] as NftMintRecipient;
      const quantity = one.quantity ?? 1;
      return {
        recipient:
          one.address === undefined ? { fid: one.fid as number, quantity } : { address: one.address, quantity },
        function_name: mint.name,
        args: [address, quantity.toString()],
        to: contract,
        data: call.data,
        calldata: call.data,
        value: call.value.toString(),
        estimated_total_cost_wei: cost.toString(),
        network,
        abi: [mint],
        ...(error !== undefined && { error }),
      };
    });
  },
});
