import { randomUUID } from 'node:crypto';
import { type Address, type Hex, hexToBytes, parseEther, toHex, zeroAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startChain } from './support/chain.js';
import type { TestResponse } from './support/network.js';
import { type NftNetwork, SHORT_WAITS, someone, startNftNetwork } from './support/nft.js';
import { blacklist, deployOddToken, mintOddToken } from './support/odd-token.js';
import { type RpcProxy, startRpcProxy } from './support/rpc-proxy.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';
import { balanceOf, deployToken, mintToken, NATIVE } from './support/token-environment.js';

const SEND = '/v2/social/fungible/send/';
const UNKNOWN_FID = 4_000_001;

interface Receipt {
  readonly fid: number;
  readonly amount: number;
  readonly status: string;
  readonly reason?: string;
}

let nft: NftNetwork;
let seeded: Seeded;
let proxy: RpcProxy;
let usd: Address;
let gold: Address;
let payer: Address;

beforeAll(async () => {
  const chain = await startChain({ chainId: 10 });
  proxy = await startRpcProxy(chain.url);
  nft = await startNftNetwork({ CASTELLAN_RPC_OPTIMISM: proxy.url }, { chain, timings: SHORT_WAITS });
  seeded = await seedBasics((items) => nft.network.load(items));
  payer = nft.payer.wallet.address;
  usd = await deployToken(chain, 'Dollar', 'USD', 6);
  gold = await deployToken(chain, 'Gold', 'GLD');
  await mintToken(chain, usd, payer, 1_000_000_000_000n);
  await mintToken(chain, gold, payer, parseEther('1000'));
});
afterAll(async () => {
  await nft.stop();
  await proxy.stop();
});

const send = (body: object, headers: Record<string, string> = nft.payer.headers): Promise<TestResponse> =>
  nft.network.send('POST', SEND, { network: 'optimism', ...body }, headers);

/** Transactions that were sent since a balance was last read. On a slow machine the response does not wait for each block. */
const unread = new Set<Hex>();

/** Sends a token and returns the receipts. */
const pay = async (token: Address | undefined, recipients: readonly object[], headers?: Record<string, string>) => {
  const { status, body } = await send({ ...(token && { fungible_contract_address: token }), recipients }, headers);
  expect(status, JSON.stringify(body)).toBe(200);
  const answer = body as { send_receipts: Receipt[]; transactions: { transaction_hash: Hex; gas_used: string }[] };
  for (const { transaction_hash } of answer.transactions) unread.add(transaction_hash);
  return answer;
};

const custody = (name: keyof typeof FIDS): Address => toHex(seeded[name].custody.address);
/** @returns the balance of an account once every payment is mined */
const held = async (token: Address, name: keyof typeof FIDS): Promise<bigint> => {
  for (const hash of unread) await nft.chain.receipt(hash);
  unread.clear();
  return balanceOf(nft.chain, token, custody(name));
};
const sentBy = (address: Address): Promise<number> => nft.chain.public.getTransactionCount({ address });

const odd = async (kind: Parameters<typeof deployOddToken>[1], amount = 1_000_000_000n): Promise<Address> => {
  const token = await deployOddToken(nft.chain, kind);
  await mintOddToken(nft.chain, token, payer, amount);
  return token;
};

describe('what is paid', () => {
  test('whole tokens reach each account, with a transaction and a receipt for each', async () => {
    const { send_receipts, transactions } = await pay(usd, [
      { fid: FIDS.alice, amount: 1.5 },
      { fid: FIDS.carol, amount: 0.000_001 },
    ]);
    expect(send_receipts).toEqual([
      { fid: FIDS.alice, amount: 1.5, status: 'sent' },
      { fid: FIDS.carol, amount: 0.000_001, status: 'sent' },
    ]);
    // Alice is paid at the address that she verified.
    expect(await balanceOf(nft.chain, usd, toHex(seeded.alice.wallet(1).address))).toBe(1_500_000n);
    expect(await held(usd, 'carol')).toBe(1n);
    for (const { transaction_hash, gas_used, ...rest } of transactions) {
      const receipt = await nft.chain.public.getTransactionReceipt({ hash: transaction_hash });
      expect([receipt.status, receipt.gasUsed.toString()]).toEqual(['success', gas_used]);
      expect(rest).toEqual({ network: 'optimism', approval_hash: '' });
    }
    expect(transactions).toHaveLength(2);
  });

  test('without a token the coin of the network is paid', async () => {
    const before = await held(NATIVE, 'dan');
    await pay(undefined, [{ fid: FIDS.dan, amount: 0.1 }]);
    expect((await held(NATIVE, 'dan')) - before).toBe(parseEther('0.1'));
  });

  test('an amount is its decimal digits; those beyond the decimals of the token are cut off', async () => {
    const before = await held(usd, 'erin');
    const { send_receipts } = await pay(usd, [
      { fid: FIDS.erin, amount: 1.000_000_01 },
      { fid: FIDS.erin, amount: 0.1 + 0.2 },
      { fid: FIDS.erin, amount: 1e-8 },
    ]);
    expect(send_receipts.map(({ status, amount }) => [status, amount])).toEqual([
      ['sent', 1.000_000_01],
      ['sent', 0.1 + 0.2],
      ['failed', 1e-8],
    ]);
    expect(send_receipts[2]?.reason).toContain('6 decimals');
    expect((await held(usd, 'erin')) - before).toBe(1_300_000n);
    await pay(gold, [{ fid: FIDS.erin, amount: 1e-8 }]);
    expect(await held(gold, 'erin')).toBe(10_000_000_000n);
  });

  test('an account that is named twice is paid twice', async () => {
    const before = await held(usd, 'frank');
    const { send_receipts } = await pay(usd, [
      { fid: FIDS.frank, amount: 2 },
      { fid: FIDS.frank, amount: 3 },
    ]);
    expect(send_receipts.map(({ status }) => status)).toEqual(['sent', 'sent']);
    expect((await held(usd, 'frank')) - before).toBe(5_000_000n);
  });

  test('a wallet with too little pays in order what it can', async () => {
    const { headers, wallet } = await nft.makePayer(parseEther('1'));
    await mintToken(nft.chain, usd, wallet.address, 5_000_000n);
    const before = await held(usd, 'grace');
    const { send_receipts } = await pay(
      usd,
      [3, 4, 2, 1].map((amount) => ({ fid: FIDS.grace, amount })),
      headers,
    );
    expect(send_receipts.map(({ status, reason }) => [status, reason?.split(':', 1)[0]])).toEqual([
      ['sent', undefined],
      ['failed', 'InsufficientFunds'],
      ['sent', undefined],
      ['failed', 'InsufficientFunds'],
    ]);
    expect((await held(usd, 'grace')) - before).toBe(5_000_000n);
  });

  test('a wallet without money for gas pays nothing and says what it lacks', async () => {
    const { headers, wallet } = await nft.makePayer(0n);
    await mintToken(nft.chain, usd, wallet.address, 5_000_000n);
    const { send_receipts, transactions } = await pay(usd, [{ fid: FIDS.grace, amount: 1 }], headers);
    expect(send_receipts[0]).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^InsufficientFunds/) });
    expect(transactions).toEqual([]);
  });

  test('requests of one wallet at the same time are all paid, each once', async () => {
    const before = await held(usd, 'heidi');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        pay(usd, [
          { fid: FIDS.heidi, amount: 1 },
          { fid: FIDS.heidi, amount: 0.5 },
        ]),
      ),
    );
    expect(answers.flatMap(({ send_receipts }) => send_receipts.map(({ status }) => status))).toEqual(
      Array.from({ length: 16 }, () => 'sent'),
    );
    expect((await held(usd, 'heidi')) - before).toBe(12_000_000n);
  });
});

describe('who is not paid', () => {
  test('amounts beyond what a token can count; the others are paid', async () => {
    const { send_receipts } = await pay(usd, [
      { fid: FIDS.bob, amount: 1 },
      { fid: FIDS.carol, amount: 1e60 },
      { fid: FIDS.dan, amount: 1e300 },
    ]);
    expect(send_receipts.map(({ status, reason = '' }) => [status, reason.split(':')[0]])).toEqual([
      ['sent', ''],
      ['failed', 'InsufficientFunds'],
      ['failed', 'InsufficientFunds'],
    ]);
  });

  test('the whole balance in coins, which leaves nothing for gas; a smaller payment after it is paid', async () => {
    const before = await held(NATIVE, 'dan');
    const balance = await balanceOf(nft.chain, NATIVE, payer);
    const whole = Number(balance / 10n ** 18n) + 1;
    await nft.chain.test.setBalance({ address: payer, value: BigInt(whole) * 10n ** 18n });
    const { send_receipts } = await pay(undefined, [
      { fid: FIDS.bob, amount: whole },
      { fid: FIDS.dan, amount: 0.5 },
    ]);
    expect(send_receipts.map(({ status }) => status)).toEqual(['failed', 'sent']);
    expect((await held(NATIVE, 'dan')) - before).toBe(parseEther('0.5'));
  });

  test('one without an address; the others are', async () => {
    const { send_receipts } = await pay(usd, [
      { fid: UNKNOWN_FID, amount: 1 },
      { fid: FIDS.carol, amount: 1 },
    ]);
    expect(send_receipts).toEqual([
      { fid: UNKNOWN_FID, amount: 1, status: 'failed', reason: expect.stringContaining(`account ${UNKNOWN_FID}`) },
      { fid: FIDS.carol, amount: 1, status: 'sent' },
    ]);
  });

  test('all failed: still an answer, and nothing is sent', async () => {
    const before = await sentBy(payer);
    const { send_receipts, transactions } = await pay(usd, [{ fid: UNKNOWN_FID, amount: 1 }]);
    expect([send_receipts[0]?.status, transactions]).toEqual(['failed', []]);
    expect(await sentBy(payer)).toBe(before);
  });

  test('a contract wallet is paid only where it exists', async () => {
    const { frank, carol } = seeded;
    await nft.chain.test.setCode({ address: someone(70), bytecode: '0x00' });
    await seeded.send(frank.verifyContract(hexToBytes(someone(70)), 10));
    await seeded.send(carol.verifyContract(hexToBytes(someone(71)), 10));
    const { send_receipts } = await pay(usd, [
      { fid: FIDS.frank, amount: 1 },
      { fid: FIDS.carol, amount: 1 },
    ]);
    expect(send_receipts.map(({ status }) => status)).toEqual(['sent', 'failed']);
    expect(send_receipts[1]?.reason).toContain('does not exist on optimism');
    expect(await balanceOf(nft.chain, usd, someone(70))).toBe(1_000_000n);
    expect(await balanceOf(nft.chain, usd, someone(71))).toBe(0n);
    await seeded.send(carol.removeVerification(0, hexToBytes(someone(71))));
  });

  test("the wallet itself, the token's contract and the zero address", async () => {
    const { dan, erin, grace } = seeded;
    const token = await deployToken(nft.chain, 'Own', 'OWN', 6);
    await mintToken(nft.chain, token, payer, 10_000_000n);
    await seeded.send(dan.verifyContract(hexToBytes(token), 10));
    await seeded.send(erin.verifyContract(hexToBytes(payer), 10));
    await nft.chain.test.setCode({ address: zeroAddress, bytecode: '0x00' });
    await seeded.send(grace.verifyContract(hexToBytes(zeroAddress), 10));
    await nft.chain.test.setCode({ address: payer, bytecode: '0x00' });
    const recipients = [FIDS.dan, FIDS.erin, FIDS.grace].map((fid) => ({ fid, amount: 1 }));
    const { send_receipts } = await pay(token, recipients);
    await nft.chain.test.setCode({ address: payer, bytecode: '0x' });
    for (const [who, address] of [
      [dan, token],
      [erin, payer],
      [grace, zeroAddress],
    ] as const)
      await seeded.send(who.removeVerification(0, hexToBytes(address)));
    expect(send_receipts.map(({ status, reason }) => [status, reason?.split(':', 1)[0]])).toEqual([
      ['failed', 'NoAddress'],
      ['failed', 'OwnWallet'],
      ['failed', 'NoAddress'],
    ]);
  });
});

describe('tokens that are odd', () => {
  const one = [{ fid: FIDS.carol, amount: 1 }];

  test('one that returns false pays nobody, and no gas is spent', async () => {
    const before = await sentBy(payer);
    const { send_receipts } = await pay(await odd('false'), one);
    expect(send_receipts[0]).toMatchObject({ status: 'failed', reason: expect.stringContaining('returns false') });
    // Nothing but the deployment and the minting of the test was sent, from another account.
    expect(await sentBy(payer)).toBe(before);
  });

  test('one that returns nothing pays', async () => {
    const token = await odd('nothing');
    expect((await pay(token, one)).send_receipts[0]?.status).toBe('sent');
    expect(await held(token, 'carol')).toBe(1_000_000n);
  });

  test('one that takes a fee pays what it lets through', async () => {
    const token = await odd('fee');
    expect((await pay(token, one)).send_receipts[0]).toEqual({ fid: FIDS.carol, amount: 1, status: 'sent' });
    expect(await held(token, 'carol')).toBe(900_000n);
  });

  test('one that blacklists a recipient pays the others', async () => {
    const token = await odd('blacklist');
    await blacklist(nft.chain, token, custody('dan'));
    const { send_receipts } = await pay(token, [{ fid: FIDS.dan, amount: 1 }, ...one]);
    expect(send_receipts.map(({ status }) => status)).toEqual(['failed', 'sent']);
    expect(send_receipts[0]?.reason).toContain('the recipient is blacklisted');
  });

  test('one that claims success without a transfer has failed', async () => {
    const { send_receipts, transactions } = await pay(await odd('silent'), one);
    expect(send_receipts[0]).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('recorded no usual transfer'),
    });
    expect(transactions).toHaveLength(1);
  });

  test('one that burns gas is not called', async () => {
    const { send_receipts } = await pay(await odd('gas'), one);
    expect(send_receipts[0]?.reason).toContain('TooMuchGas');
  });
});

describe('a repeated request', () => {
  const keyed = (key: string = randomUUID()) => ({ ...nft.payer.headers, 'idempotency-key': key });

  test('pays once, and the account may have another address by then', async () => {
    const headers = keyed();
    const before = await held(usd, 'heidi');
    const body = [{ fid: FIDS.heidi, amount: 7 }];
    const first = await pay(usd, body, headers);
    await seeded.send(await seeded.heidi.verifyEthereum(seeded.heidi.wallet(3)));
    expect(await pay(usd, body, headers)).toEqual(first);
    expect((await held(usd, 'heidi')) - before).toBe(7_000_000n);
    expect(await balanceOf(nft.chain, usd, toHex(seeded.heidi.wallet(3).address))).toBe(0n);
    const other = await send({ fungible_contract_address: usd, recipients: [{ fid: FIDS.heidi, amount: 8 }] }, headers);
    expect([other.status, other.body.property]).toEqual([409, 'Idempotency-Key']);
  });

  test('says of a payment that is not mined yet that it was sent, and later how it ended', async () => {
    const headers = keyed();
    await nft.chain.test.setAutomine(false);
    let first: Awaited<ReturnType<typeof pay>>;
    try {
      first = await pay(usd, [{ fid: FIDS.erin, amount: 4 }], headers);
    } finally {
      await nft.chain.test.setAutomine(true);
      await nft.chain.mine();
    }
    expect(first.send_receipts[0]?.status).toBe('sent');
    expect(first.transactions[0]?.gas_used).toBe('');
    const again = await pay(usd, [{ fid: FIDS.erin, amount: 4 }], headers);
    expect(again.transactions[0]).toMatchObject({ transaction_hash: first.transactions[0]?.transaction_hash });
    expect(again.transactions[0]?.gas_used).not.toBe('');
  });

  test('says of a payment that was mined and reverted that it failed', async () => {
    const token = await odd('blacklist');
    // The token blacklists carol between the trial of the payment and its block.
    proxy.decide = ({ method }) =>
      method === 'eth_sendRawTransaction' ? { passAfter: blacklist(nft.chain, token, custody('carol')) } : 'pass';
    const { send_receipts, transactions } = await pay(token, [{ fid: FIDS.carol, amount: 1 }]);
    proxy.decide = () => 'pass';
    expect(send_receipts[0]).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^Reverted/) });
    expect(transactions).toHaveLength(1);
    expect(await held(token, 'carol')).toBe(0n);
  });

  test('requests with one key at the same time pay once', async () => {
    const headers = keyed();
    const before = [await held(usd, 'bob'), await sentBy(payer)] as const;
    const once = () => pay(usd, [{ fid: FIDS.bob, amount: 3 }], headers);
    const answers = await Promise.all([once(), once(), once(), once()]);
    expect(new Set(answers.map(({ transactions }) => transactions[0]?.transaction_hash)).size).toBe(1);
    expect([(await held(usd, 'bob')) - before[0], (await sentBy(payer)) - before[1]]).toEqual([3_000_000n, 1]);
  });

  test('an endpoint that fails once everything is sent makes no error, which would invite a second payment', async () => {
    const headers = keyed();
    const recipients = [FIDS.bob, FIDS.carol, FIDS.dan].map((fid) => ({ fid, amount: 1 }));
    let isSent = false;
    proxy.decide = ({ method }) => {
      isSent ||= method === 'eth_sendRawTransaction';
      return isSent && method !== 'eth_sendRawTransaction' ? { error: { code: -32603, message: 'internal' } } : 'pass';
    };
    const { send_receipts, transactions } = await pay(usd, recipients, headers);
    const again = await pay(usd, recipients, headers);
    proxy.decide = () => 'pass';
    expect(send_receipts.map(({ status }) => status)).toEqual(['sent', 'sent', 'sent']);
    const hashes = (list: typeof transactions) => list.map((one) => one.transaction_hash);
    expect(hashes(again.transactions)).toEqual(hashes(transactions));
  });

  test('is told its payments though the token is gone by then', async () => {
    const headers = keyed();
    const body = [{ fid: FIDS.carol, amount: 2 }];
    const first = await pay(gold, body, headers);
    proxy.decide = ({ method }) => (method === 'eth_call' ? { result: '0x' } : 'pass');
    // Only a final answer is stored; without it, the transactions are looked up.
    await nft.network.sql('update idempotent_write set answer = null');
    const again = await pay(gold, body, headers);
    proxy.decide = () => 'pass';
    expect(again).toEqual(first);
  });

  test('a network that does not answer sends nothing', async () => {
    const before = await held(usd, 'bob');
    const recipients = [{ fid: FIDS.bob, amount: 1 }];
    const headers = keyed();
    proxy.decide = () => 'break';
    const { status } = await send({ fungible_contract_address: usd, recipients }, headers);
    proxy.decide = () => 'pass';
    expect(status).toBe(500);
    expect(await held(usd, 'bob')).toBe(before);
    await pay(usd, recipients, headers);
    expect((await held(usd, 'bob')) - before).toBe(1_000_000n);
  });
});
