import { type Address, bytesToHex, getAddress, type Hex, parseEther, parseEventLogs, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seriesCollectionAbi as abi } from '../src/onchain/artifact/series-collection.js';
import { keyWith } from './support/app.js';
import { type NftNetwork, someone, startNftNetwork } from './support/nft.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { deploySeries } from './support/series.js';

let nft: NftNetwork;
let seeded: Seeded;
beforeAll(async () => {
  nft = await startNftNetwork();
  seeded = await seedBasics((items) => nft.network.load(items));
});
afterAll(() => nft.stop());

interface Transaction {
  readonly recipient: {
    readonly address: Address;
    readonly quantity: number;
    readonly tokens?: { token_id: string }[];
  };
  readonly transaction_hash: Hex;
  readonly receipt: { readonly status: string } | null;
  readonly error?: string;
}

const PRICE = parseEther('0.01');
const priced = (changes: object = {}): Promise<Address> =>
  nft.collection({ mint_config: { price_per_token: PRICE.toString(), ...changes } });

/** What the chain says of a transaction: who sent what, and which tokens came into being. */
const ofChain = async (hash: Hex) => {
  const [transaction, receipt] = await Promise.all([
    nft.chain.public.getTransaction({ hash }),
    nft.chain.public.getTransactionReceipt({ hash }),
  ]);
  const ids = parseEventLogs({ abi, eventName: 'Transfer', logs: receipt.logs })
    .filter(({ args }) => args.from === zeroAddress)
    .map(({ args }) => args.tokenId.toString());
  return { transaction, receipt, ids };
};

const sentBy = (address: Address): Promise<number> => nft.chain.public.getTransactionCount({ address });

test('mint and simulation return an address as it was sent', async () => {
  const contract_address = await priced();
  const address = getAddress(someone(7));
  const recipients = [{ address }, { fid: FIDS.bob }];
  const simulated = await nft.simulate({ recipients, contract: contract_address });
  const { body } = await nft.mint({ contract_address, recipients });
  const bob = bytesToHex(seeded.bob.custody.address);
  expect(simulated.body[0].recipient.address).toBe(address);
  expect(body.transactions.map((one: { recipient: { address: string } }) => one.recipient.address)).toEqual([
    address,
    bob,
  ]);
});

test('each recipient gets its tokens, and the response agrees with the chain', async () => {
  const contract_address = await priced();
  const recipients = [{ address: someone(1), quantity: 3 }, { fid: FIDS.bob }, { address: someone(2), quantity: 2 }];
  const simulated = await nft.simulate({ recipients, contract: contract_address });
  const { status, body } = await nft.mint({ contract_address, recipients });
  expect(status).toBe(200);
  const bob = bytesToHex(seeded.bob.custody.address);
  const list: Transaction[] = body.transactions;
  expect(list.map(({ recipient: { tokens: _, ...recipient } }) => recipient)).toEqual([
    { address: someone(1), quantity: 3 },
    { address: bob, fid: FIDS.bob, quantity: 1 },
    { address: someone(2), quantity: 2 },
  ]);
  for (const [index, { transaction_hash, receipt, recipient }] of list.entries()) {
    const chain = await ofChain(transaction_hash);
    expect(chain.transaction.input).toBe(simulated.body[index].calldata);
    expect(chain.transaction.value.toString()).toBe(simulated.body[index].value);
    expect(chain.transaction.from).toBe(nft.payer.wallet.address.toLowerCase());
    expect(receipt).toEqual({
      status: 'success',
      gas_used: chain.receipt.gasUsed.toString(),
      block_number: chain.receipt.blockNumber.toString(),
    });
    expect(recipient.tokens?.map(({ token_id }) => token_id)).toEqual(chain.ids);
    for (const id of chain.ids) {
      const owner = await nft.onChain(contract_address).ownerOf([BigInt(id)]);
      expect(owner.toLowerCase()).toBe(recipient.address);
    }
  }
  expect(list.flatMap(({ recipient }) => recipient.tokens?.map(({ token_id }) => token_id)).sort()).toEqual([
    '1',
    '2',
    '3',
    '4',
    '5',
    '6',
  ]);
  const [supply, balance] = [
    nft.onChain(contract_address).totalSupply(),
    nft.chain.public.getBalance({ address: contract_address }),
  ];
  expect(await Promise.all([supply, balance])).toEqual([6n, 6n * PRICE]);
});

test('an impossible mint is an error for that recipient only and does not use up the supply', async () => {
  const contract_address = await nft.collection({ max_supply: 5, mint_config: { max_per_wallet: 3 } });
  const { status, body } = await nft.mint({
    contract_address,
    recipients: [
      { address: someone(1), quantity: 3 },
      { fid: 4_000_001 },
      { address: someone(1), quantity: 1 },
      { address: contract_address },
      { address: someone(2), quantity: 3 },
      { address: someone(3), quantity: 2 },
      { address: someone(4) },
    ],
  });
  expect(status).toBe(200);
  expect(body.transactions.map((one: Transaction) => one.error ?? one.receipt?.status)).toEqual([
    'success',
    expect.stringContaining('4000001'),
    expect.stringContaining('at most 3'),
    expect.stringContaining('does not take ERC-721 tokens'),
    expect.stringContaining('only 2 left'),
    'success',
    expect.stringContaining('sold out'),
  ]);
  expect(body.transactions[1].recipient).toEqual({ fid: 4_000_001, quantity: 1 });
  expect(await nft.onChain(contract_address).totalSupply()).toBe(5n);
});

test('a mint outside of the window is rejected for all recipients, with the time', async () => {
  const start = Math.floor(Date.now() / 1000) + 86_400;
  const contract_address = await nft.collection({ mint_config: { start_timestamp: start } });
  const before = await sentBy(nft.payer.wallet.address);
  const { status, body } = await nft.mint({ contract_address, recipients: [{ address: someone(1) }] });
  expect([status, body.transactions[0].error]).toEqual([
    200,
    expect.stringContaining(new Date(start * 1000).toISOString().slice(0, 19)),
  ]);
  expect(await sentBy(nft.payer.wallet.address)).toBe(before);
});

test('a wallet with limited funds pays for some mints and reports the missing amount for the others', async () => {
  const contract_address = await priced();
  const { headers, wallet } = await nft.makePayer(parseEther('0.025'));
  const recipients = [1, 2, 3].map((index) => ({ address: someone(index) }));
  const { body } = await nft.mint({ contract_address, recipients }, headers);
  expect(body.transactions.map((one: Transaction) => one.error ?? one.receipt?.status)).toEqual([
    'success',
    'success',
    expect.stringMatching(new RegExp(`${wallet.address}.* lacks \\d+ wei.*send it more`, 'i')),
  ]);
  expect(await nft.onChain(contract_address).totalSupply()).toBe(2n);
});

describe('asynchronous', () => {
  test('responds with hashes before the block; a repeated request returns the outcomes', async () => {
    const contract_address = await priced();
    const recipients = [{ address: someone(1), quantity: 2 }, { fid: 4_000_001 }, { fid: FIDS.alice }];
    const headers = { ...nft.payer.headers, 'idempotency-key': 'later' };
    const before = await sentBy(nft.payer.wallet.address);
    await nft.chain.test.setAutomine(false);
    try {
      const { status, body } = await nft.mint({ contract_address, recipients, async: true }, headers);
      expect(status).toBe(200);
      const hashes = body.transactions.map((one: Transaction) => one.transaction_hash);
      expect(body.transactions).toEqual([
        { recipient: { address: someone(1), quantity: 2 }, transaction_hash: hashes[0], receipt: null },
        { recipient: { fid: 4_000_001, quantity: 1 }, error: expect.any(String) },
        {
          recipient: { address: bytesToHex(seeded.alice.wallet(1).address), fid: FIDS.alice, quantity: 1 },
          transaction_hash: hashes[2],
          receipt: null,
        },
      ]);
      const again = await nft.mint({ contract_address, recipients, async: true }, headers);
      expect(again.body).toEqual(body);
      await nft.chain.mine();
      const mined = await nft.mint({ contract_address, recipients, async: true }, headers);
      expect(mined.body.transactions.map((one: Transaction) => [one.transaction_hash, one.receipt?.status])).toEqual([
        [hashes[0], 'success'],
        [undefined, undefined],
        [hashes[2], 'success'],
      ]);
      expect(mined.body.transactions[0].recipient.tokens).toEqual([{ token_id: '1' }, { token_id: '2' }]);
    } finally {
      await nft.chain.test.setAutomine(true);
    }
    expect(await sentBy(nft.payer.wallet.address)).toBe(before + 2);
  });
});

test('a key mints once, even concurrently; a recipient keeps its first address', async () => {
  const contract_address = await priced();
  const headers = { ...nft.payer.headers, 'idempotency-key': 'once' };
  const body = { contract_address, recipients: [{ address: someone(1) }, { fid: FIDS.erin }] };
  const answers = await Promise.all([1, 2, 3].map(() => nft.mint(body, headers)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const hashes = answers.map((one) => one.body.transactions.map((each: Transaction) => each.transaction_hash));
  expect(new Set(hashes.map((list) => list.join())).size).toBe(1);
  expect(await nft.onChain(contract_address).totalSupply()).toBe(2n);
  const other = await nft.mint({ ...body, recipients: [{ address: someone(2) }] }, headers);
  expect(other.status).toBe(409);
  // Without the kept answer, as after a crash before it: the rows say what was sent to whom.
  await nft.network.sql('update idempotent_write set answer = null');
  await nft.network.sql('update account set custody_address = $1 where fid = $2', [Buffer.alloc(20, 9), FIDS.erin]);
  const resumed = await nft.mint(body, headers);
  expect(resumed.body).toEqual(answers[0]?.body);
  expect(await nft.onChain(contract_address).totalSupply()).toBe(2n);
});

test('a request that sent nothing may be corrected under its key', async () => {
  const contract_address = await priced();
  const { headers: own, wallet } = await nft.makePayer(0n);
  const headers = { ...own, 'idempotency-key': 'poor' };
  const body = { contract_address, recipients: [{ address: someone(1) }] };
  const poor = await nft.mint(body, headers);
  expect(poor.body.transactions[0].error).toContain('lacks');
  await nft.chain.test.setBalance({ address: wallet.address, value: parseEther('1') });
  const rich = await nft.mint(body, headers);
  expect(rich.body.transactions[0].receipt.status).toBe('success');
});

test('a mint that fails on the chain is reported with the transaction and the reason', async () => {
  const contract_address = await nft.collection({ max_supply: 1 });
  await nft.chain.test.setAutomine(false);
  try {
    const first = nft.mint({ contract_address, recipients: [{ address: someone(1) }] });
    const second = nft.mint({ contract_address, recipients: [{ address: someone(2) }] });
    await expect
      .poll(() => nft.chain.public.getTransactionCount({ address: nft.payer.wallet.address, blockTag: 'pending' }))
      .toBe((await sentBy(nft.payer.wallet.address)) + 2);
    await nft.chain.mine();
    const answers = await Promise.all([first, second]);
    const ends: string[] = answers.map(({ body: { transactions } }) => transactions[0].error ?? 'minted');
    expect(ends.sort()).toEqual([expect.stringMatching(/^The transaction 0x[0-9a-f]{64} .*sold out/), 'minted']);
  } finally {
    await nft.chain.test.setAutomine(true);
  }
});

test('200 recipients get a transaction each', async () => {
  const contract_address = await nft.collection();
  const recipients = Array.from({ length: 200 }, (_, index) => ({ address: someone(index) }));
  const { status, body } = await nft.mint({ contract_address, recipients });
  expect(status).toBe(200);
  const ids = body.transactions.flatMap((one: Transaction) => one.recipient.tokens?.map(({ token_id }) => token_id));
  expect(ids).toEqual(recipients.map((_, index) => String(index + 1)));
  expect(await nft.onChain(contract_address).totalSupply()).toBe(200n);
});

describe('authorization and validation', () => {
  test('another organization can only mint with its own wallets', async () => {
    const contract_address = await nft.collection();
    const body = { contract_address, recipients: [{ address: someone(1) }] };
    const theirs = await nft.mint(body, { 'x-wallet-id': nft.otherAccount.wallet.id });
    expect([theirs.status, theirs.body.code]).toEqual([403, 'Forbidden']);
    const own = await nft.mint(body, nft.otherAccount.headers);
    const { transaction } = await ofChain(own.body.transactions[0].transaction_hash);
    expect(transaction.from).toBe(nft.otherAccount.wallet.address.toLowerCase());
  });

  test('a missing or unknown wallet header', async () => {
    const body = { contract_address: someone(1), recipients: [{ fid: 1 }] };
    const missing = await nft.mint(body, {});
    expect([missing.status, missing.body.errors[0].path]).toEqual([400, ['x-wallet-id']]);
    const unknown = await nft.mint(body, { 'x-wallet-id': '00000000-0000-4000-8000-00000000abcd' });
    expect([unknown.status, unknown.body.property]).toEqual([404, 'x-wallet-id']);
  });

  test('a key without the scope', async () => {
    const headers = { ...nft.payer.headers, ...(await keyWith(nft.network, 'read', 'write')) };
    const answer = await nft.mint({ contract_address: someone(1), recipients: [{ fid: 1 }] }, headers);
    expect([answer.status, answer.body.code]).toEqual([403, 'Forbidden']);
  });

  test('a contract of another service can be minted; an address without code is a 404', async () => {
    const series = await deploySeries(nft.chain, { pricePerToken: 7n });
    const recipients = [{ address: someone(1), quantity: 2 }];
    const good = await nft.mint({ contract_address: series.address, recipients });
    expect(good.body.transactions[0].recipient.tokens).toEqual([{ token_id: '1' }, { token_id: '2' }]);
    const nobody = await nft.mint({ contract_address: someone(9), recipients });
    expect([nobody.status, nobody.body.property]).toEqual([404, 'contract_address']);
  });
});

test.each([
  ['both address and fid', { address: someone(1), fid: 1 }],
  ['neither address nor fid', { quantity: 2 }],
])('a recipient with %s is rejected with the rule', async (_, recipient) => {
  const words = 'recipients[0] must be exactly one of {address}, {fid}';
  const minted = await nft.mint({ contract_address: someone(1), recipients: [recipient] });
  expect([minted.status, minted.body.message]).toEqual([400, words]);
  const simulated = await nft.simulate({ contract: someone(1), recipients: [recipient] });
  expect([simulated.status, simulated.body.message]).toEqual([400, words]);
});

test.each<[string, object, string[]]>([
  ['no recipients', {}, ['recipients']],
  ['an empty list', { recipients: [] }, ['recipients']],
  ['201 recipients', { recipients: Array.from({ length: 201 }, () => ({ fid: 1 })) }, ['recipients']],
  ['both address and fid', { recipients: [{ address: someone(1), fid: 1 }] }, ['recipients.0']],
  ['neither', { recipients: [{}] }, ['recipients.0']],
  [
    'faults of several',
    { recipients: [{ fid: 1, quantity: 0 }, { fid: 1 }, { fid: -1 }, { address: '0x1' }] },
    ['recipients.0.quantity', 'recipients.2.fid', 'recipients.3.address'],
  ],
  ['an unknown network', { network: 'ethereum', recipients: [{ fid: 0 }] }, ['network', 'recipients.0.fid']],
  ['async that is no flag', { async: 'yes', recipients: [{ fid: 1 }] }, ['async']],
  [
    'a mistyped contract',
    { contract_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeE', recipients: [{ fid: 1 }] },
    ['contract_address'],
  ],
])('%s', async (_, body, paths) => {
  const { status, body: answer } = await nft.mint({ contract_address: someone(1), ...body });
  expect([status, answer.code]).toEqual([400, 'InvalidField']);
  expect(answer.errors.map(({ path }: { path: string[] }) => path.join('.')).sort()).toEqual(paths);
});
