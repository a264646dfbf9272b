import type { ConfigReader } from './reader.js';
import { Secret } from './secret.js';

/** The variable that holds the endpoints of each network, in the interface's spelling of networks. */
export const RPC_VARIABLES = {
  ethereum: 'RPC_ETHEREUM',
  optimism: 'RPC_OPTIMISM',
  base: 'RPC_BASE',
  arbitrum: 'RPC_ARBITRUM',
  robinhood: 'RPC_ROBINHOOD',
  'base-sepolia': 'RPC_BASE_SEPOLIA',
} as const;

/** Addresses of JSON-RPC endpoints, in the order of trying. They are secrets: most providers put a key into them. */
export type RpcUrls = Readonly<Partial<Record<keyof typeof RPC_VARIABLES, readonly Secret[]>>>;

/** More than this is a paste that went wrong, and could not be tried within one request anyway. */
const MAX_URLS = 8;

const isEndpoint = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) && url.hash === '';
};

/** Reads the variables of the networks: addresses, separated by commas. No problem that it reports repeats one. */
export function readRpc(reader: ConfigReader): RpcUrls {
  const urls: Partial<Record<keyof typeof RPC_VARIABLES, readonly Secret[]>> = {};
  for (const [network, variable] of Object.entries(RPC_VARIABLES)) {
    const text = reader.text(variable);
    if (text === undefined) continue;
    const given = text.split(',').map((one) => one.trim());
    const wrong = given.findIndex((one) => !isEndpoint(one));
    if (wrong !== -1) {
      const which = given.length === 1 ? 'is not' : `has something else as number ${wrong + 1} of its list than`;
      reader.problem(variable, `${which} an http or https address like https://rpc.example/key.`);
    } else if (new Set(given).size < given.length) {
      reader.problem(variable, 'names the same address twice: a failing endpoint needs another one to stand in.');
    } else if (given.length > MAX_URLS) {
      reader.problem(variable, `lists ${given.length} addresses: ${MAX_URLS} are the most.`);
    } else {
      urls[network as keyof typeof RPC_VARIABLES] = given.map((one) => new Secret(one));
    }
  }
  return urls;
}
