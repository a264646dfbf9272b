import { type Address, encodeFunctionData, maxUint256, parseAbi, parseEther, parseUnits } from 'viem';
import { registryCode } from '../artifact/registry-code.js';
import { testTokenAbi } from '../artifact/test-token.js';
import type { LocalClient } from './chain.js';
import { sendLocalTransactions } from './send.js';
import { LOCAL_TOKENS, type LocalToken } from './token.js';

/** The market of the local chain, an address that nobody has the key of. */
export const LOCAL_MARKET: Address = '0x4c6f63616c20636861696e206d61726b65740000';

const abi = parseAbi([
  'function open(address first, address second)',
  'function trade(bool isFirst, uint256 amount) returns (uint256)',
  'function latest() view returns (uint256)',
]);

/** Where the contract stores `token0`; it is empty before `open`. */
const FIRST_TOKEN = '0x0';
const GAS = 200_000n;
/** Pays for the gas of a trade many times over. */
const TRADER_ETHER = parseEther('0.1');
/** Trades are made again at a start after this time, so that the lists of the last day show some. */
const QUIET_SECONDS = 12 * 3600;

const [dollar, gold] = LOCAL_TOKENS as readonly [LocalToken, LocalToken];
/** What the market holds at first, in whole tokens; an ounce costs what the price list of the chain says. */
const SUPPLY = [
  [dollar, '2412500'],
  [gold, '1000'],
] as const;

/** Trades by the place of their account: whether dollars are given, and how many whole tokens. */
const TRADES: readonly (readonly [place: number, isDollar: boolean, amount: string])[] = [
  [0, true, '50'],
  [1, true, '120'],
  [3, false, '0.02'],
  [4, true, '75'],
  [6, true, '30'],
  [7, false, '0.05'],
];

const open = async (client: LocalClient): Promise<void> => {
  const calls = SUPPLY.map(([{ address, decimals }, amount]) => ({
    to: address,
    data: encodeFunctionData({
      abi: testTokenAbi,
      functionName: 'mint',
      args: [LOCAL_MARKET, parseUnits(amount, decimals)],
    }),
    gas: GAS,
  }));
  const args = [dollar.address, gold.address] as const;
  const data = encodeFunctionData({ abi, functionName: 'open', args });
  await sendLocalTransactions(client, [...calls, { to: LOCAL_MARKET, data, gas: GAS }], calls.length + 1);
};

const trade = async (client: LocalClient, account: Address, isDollar: boolean, amount: string): Promise<void> => {
  const token = isDollar ? dollar : gold;
  const units = parseUnits(amount, token.decimals);
  const calls = [
    {
      to: token.address,
      data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [account, units] }),
    },
    {
      to: token.address,
      data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [LOCAL_MARKET, maxUint256] }),
    },
    { to: LOCAL_MARKET, data: encodeFunctionData({ abi, functionName: 'trade', args: [isDollar, units] }) },
  ];
  // Accounts that came after the first start of the chain have no coins yet.
  if ((await client.getBalance({ address: account })) < TRADER_ETHER) {
    await client.setBalance({ address: account, value: TRADER_ETHER });
  }
  await client.impersonateAccount({ address: account });
  for (const call of calls) {
    // Automatic mining puts each of them into a block before the next one.
    await client.sendUnsignedTransaction({ from: account, ...call, gas: GAS });
  }
  await client.stopImpersonatingAccount({ address: account });
};

/**
 * Puts a market for two test tokens on the local chain, on which the first accounts trade, again if the latest trade is
 * older than twelve hours. What is there already keeps its state.
 * @param accounts verified addresses of accounts
 */
export const installMarket = async (client: LocalClient, accounts: readonly Address[]): Promise<void> => {
  const bytecode = registryCode.market;
  if ((await client.getCode({ address: LOCAL_MARKET })) !== bytecode) {
    await client.setCode({ address: LOCAL_MARKET, bytecode });
  }
  const [latest, token] = await Promise.all([
    client.readContract({ address: LOCAL_MARKET, abi, functionName: 'latest' }),
    client.getStorageAt({ address: LOCAL_MARKET, slot: FIRST_TOKEN }),
  ]);
  if (BigInt(token ?? 0) === 0n) await open(client);
  const { timestamp } = await client.getBlock();
  const now = Math.max(Number(timestamp), Math.floor(Date.now() / 1000));
  if (now - Number(latest) < QUIET_SECONDS) return;
  for (const [place, isDollar, amount] of TRADES) {
    const account = accounts[place];
    if (account) await trade(client, account, isDollar, amount);
  }
};
