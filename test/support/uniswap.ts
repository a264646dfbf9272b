import { createRequire } from 'node:module';
import { type Abi, type Account, type Address, type Hex, maxUint256, parseAbi, zeroAddress } from 'viem';
import { testTokenAbi } from '../../src/onchain/artifact/test-token.js';
import { pairRouterAbi, pairRouterBytecode } from './artifact/pair-router.js';
import { wrappedCoinAbi, wrappedCoinBytecode } from './artifact/wrapped-coin.js';
import type { TestChain } from './chain.js';

const require = createRequire(import.meta.url);

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Creation code as the packages of Uniswap publish it. */
const artifact = (path: string): Artifact => {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: string | { object: string } };
  const code = typeof bytecode === 'string' ? bytecode : bytecode.object;
  return { abi, bytecode: (code.startsWith('0x') ? code : `0x${code}`) as Hex };
};

const V2_FACTORY = artifact('@uniswap/v2-core/build/UniswapV2Factory.json');
const V3_FACTORY = artifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json');
const V3_ROUTER = artifact('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json');
const V3_POSITIONS = artifact(
  '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
);
const v4 = (name: string): Artifact => artifact(`@uniswap/v4-core/out/${name}.sol/${name}.json`);

/** Where Base has them. */
export const ON_BASE = {
  wrapped: '0x4200000000000000000000000000000000000006',
  v2: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
  v3: '0x33128a8fc17869897dce68ed026d694621f6fdfd',
  v4: '0x498581ff718922c3f8e6a244956af099b2652b2b',
} as const;

const pairAbi = parseAbi(['function mint(address to) returns (uint256)']);

/** Price of one to one in pools of v3 and v4. */
const EVEN = 2n ** 96n;
const FEE = 3000;
const TICK = 60;
/**
 * More than any call here needs. An estimate is not enough: pools write their price history only in the first swap of a
 * second, so a swap that was estimated in the same second as the one before runs out of gas in the next second.
 */
const GAS = 8_000_000n;
const RANGE = { tickLower: -TICK * 1000, tickUpper: TICK * 1000 };

/** Pools of three versions on a chain that stands in for Base. */
export interface Market {
  readonly wrapped: Address;
  readonly router: Address;
  readonly v3Router: Address;
  readonly v4Router: Address;
  /** Sends a call and waits for its block. */
  send(
    call: { address: Address; abi: Abi; functionName: string; args: readonly unknown[]; value?: bigint },
    from?: Account,
  ): Promise<Hex>;
  /** @returns a pair of v2 with these amounts */
  pair(tokens: readonly [Address, bigint][], factory?: Address): Promise<Address>;
  /** @returns a pool of v3 at one to one */
  pool(tokens: readonly [Address, Address]): Promise<Address>;
  /** Makes a pool of v4 at one to one. @returns its key */
  v4Pool(token0: Address, token1: Address): Promise<object>;
  swapV2(
    from: Account,
    token: Address,
    pairs: readonly Address[],
    amount: bigint,
    more?: { value?: bigint; unwraps?: boolean },
  ): Promise<Hex>;
  /** Token to token, or with `value` the coin to a token. */
  swapV3(from: Account, tokens: readonly [Address, Address], amount: bigint, value?: bigint): Promise<Hex>;
  swapV4(from: Account, key: object, zeroForOne: boolean, amount: bigint, value?: bigint): Promise<Hex>;
}

export const startMarket = async (chain: TestChain): Promise<Market> => {
  const owner = chain.account(0);
  const send: Market['send'] = async (call, from = owner) => {
    const request = { ...call, account: from, chain: chain.wallet.chain, gas: GAS };
    const { transactionHash, status } = await chain.receipt(chain.wallet.writeContract(request as never));
    if (status !== 'success') throw new Error(`${call.functionName} reverted`);
    return transactionHash;
  };
  const deploy = async ({ abi, bytecode }: Artifact, args: readonly unknown[]): Promise<Address> =>
    (await chain.deploy({ abi, bytecode, args: args as never })).address;
  /** Puts a deployed contract at another address, which is also what its own code calls itself. */
  const place = async (deployed: Address, address: Address): Promise<void> => {
    const code = (await chain.public.getCode({ address: deployed })) as Hex;
    const moved = code.toLowerCase().replaceAll(deployed.slice(2).toLowerCase(), address.slice(2)) as Hex;
    await chain.test.setCode({ address, bytecode: moved });
    const slots = await Promise.all(
      [0, 1, 2, 3].map((slot) => chain.public.getStorageAt({ address: deployed, slot: `0x${slot}` })),
    );
    for (const [index, value] of slots.entries()) {
      if (value) await chain.test.setStorageAt({ address, index, value });
    }
  };
  await place(await deploy({ abi: wrappedCoinAbi, bytecode: wrappedCoinBytecode }, []), ON_BASE.wrapped);
  await place(await deploy(V2_FACTORY, [owner.address]), ON_BASE.v2);
  await place(await deploy(V3_FACTORY, []), ON_BASE.v3);
  // Fees and spacings of v3 are in a mapping, which is not copied.
  const enable = { address: ON_BASE.v3, abi: V3_FACTORY.abi, functionName: 'enableFeeAmount', args: [FEE, TICK] };
  await chain.test.setStorageAt({
    address: ON_BASE.v3,
    index: 3,
    value: `0x${owner.address.slice(2).toLowerCase().padStart(64, '0')}`,
  });
  await send(enable);
  await place(await deploy(v4('PoolManager'), [owner.address]), ON_BASE.v4);
  const router = await deploy({ abi: pairRouterAbi, bytecode: pairRouterBytecode }, [ON_BASE.wrapped]);
  const v3Router = await deploy(V3_ROUTER, [ON_BASE.v3, ON_BASE.wrapped]);
  const positions = await deploy(V3_POSITIONS, [ON_BASE.v3, ON_BASE.wrapped, zeroAddress]);
  const v4Router = await deploy(v4('PoolSwapTest'), [ON_BASE.v4]);
  const v4Liquidity = await deploy(v4('PoolModifyLiquidityTest'), [ON_BASE.v4]);
  const LIQUIDITY = 10n ** 21n;

  /** Gives an account tokens, or wraps coins for it, and lets a contract take them. */
  const supply = async (token: Address, amount: bigint, spender: Address, to: Account = owner): Promise<void> => {
    if (token === zeroAddress) return;
    if (token === ON_BASE.wrapped) {
      await send({ address: token, abi: wrappedCoinAbi, functionName: 'deposit', args: [], value: amount }, to);
    } else {
      await send({ address: token, abi: testTokenAbi, functionName: 'mint', args: [to.address, amount] });
    }
    await send({ address: token, abi: testTokenAbi, functionName: 'approve', args: [spender, maxUint256] }, to);
  };
  const sorted = (tokens: readonly [Address, Address]): [Address, Address] =>
    tokens[0].toLowerCase() < tokens[1].toLowerCase() ? [...tokens] : [tokens[1], tokens[0]];

  const readFrom = async (address: Address, abi: Abi, functionName: string, args: readonly unknown[]) =>
    (await chain.public.readContract({ address, abi, functionName, args })) as Address;

  return {
    wrapped: ON_BASE.wrapped,
    router,
    v3Router,
    v4Router,
    send,
    pair: async (tokens, factory = ON_BASE.v2) => {
      const addresses = tokens.map(([address]) => address);
      await send({ address: factory, abi: V2_FACTORY.abi, functionName: 'createPair', args: addresses });
      const pair = await readFrom(factory, V2_FACTORY.abi, 'getPair', addresses);
      for (const [address, amount] of tokens) {
        await supply(address, amount, pair);
        await send({ address, abi: testTokenAbi, functionName: 'transfer', args: [pair, amount] });
      }
      await send({ address: pair, abi: pairAbi, functionName: 'mint', args: [owner.address] });
      return pair;
    },
    pool: async (tokens) => {
      const [token0, token1] = sorted(tokens);
      const create = 'createAndInitializePoolIfNecessary';
      await send({
        address: positions,
        abi: V3_POSITIONS.abi,
        functionName: create,
        args: [token0, token1, FEE, EVEN],
      });
      for (const token of tokens) await supply(token, LIQUIDITY, positions);
      const amounts = { amount0Desired: LIQUIDITY, amount1Desired: LIQUIDITY, amount0Min: 0n, amount1Min: 0n };
      const mint = { token0, token1, fee: FEE, ...RANGE, ...amounts, recipient: owner.address, deadline: maxUint256 };
      await send({ address: positions, abi: V3_POSITIONS.abi, functionName: 'mint', args: [mint] });
      return readFrom(ON_BASE.v3, V3_FACTORY.abi, 'getPool', [token0, token1, FEE]);
    },
    v4Pool: async (first, second) => {
      const [currency0, currency1] = sorted([first, second]);
      const key = { currency0, currency1, fee: FEE, tickSpacing: TICK, hooks: zeroAddress };
      const { abi } = v4('PoolManager');
      await send({ address: ON_BASE.v4, abi, functionName: 'initialize', args: [key, EVEN] });
      for (const token of [currency0, currency1]) await supply(token, 2n * LIQUIDITY, v4Liquidity);
      const params = { ...RANGE, liquidityDelta: LIQUIDITY, salt: `0x${'00'.repeat(32)}` };
      const args = [key, params, '0x'];
      const value = currency0 === zeroAddress ? 2n * LIQUIDITY : 0n;
      const { abi: liquidityAbi } = v4('PoolModifyLiquidityTest');
      await send({ address: v4Liquidity, abi: liquidityAbi, functionName: 'modifyLiquidity', args, value });
      return key;
    },
    swapV2: async (from, token, pairs, amount, { value = 0n, unwraps = false } = {}) => {
      if (amount > 0n) await supply(token, amount, router, from);
      const args = [token, pairs, amount, unwraps];
      return send({ address: router, abi: pairRouterAbi, functionName: 'swap', args, value }, from);
    },
    swapV3: async (from, [tokenIn, tokenOut], amount, value = 0n) => {
      if (value === 0n) await supply(tokenIn, amount, v3Router, from);
      const limits = { deadline: maxUint256, amountIn: amount, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n };
      const args = [{ tokenIn, tokenOut, fee: FEE, recipient: from.address, ...limits }];
      return send({ address: v3Router, abi: V3_ROUTER.abi, functionName: 'exactInputSingle', args, value }, from);
    },
    swapV4: async (from, key, zeroForOne, amount, value = 0n) => {
      const { currency0, currency1 } = key as { currency0: Address; currency1: Address };
      if (value === 0n) await supply(zeroForOne ? currency0 : currency1, amount, v4Router, from);
      const sqrtPriceLimitX96 = zeroForOne ? EVEN / 1000n : EVEN * 1000n;
      const params = { zeroForOne, amountSpecified: -amount, sqrtPriceLimitX96 };
      const args = [key, params, { takeClaims: false, settleUsingBurn: false }, '0x'];
      return send({ address: v4Router, abi: v4('PoolSwapTest').abi, functionName: 'swap', args, value }, from);
    },
  };
};
