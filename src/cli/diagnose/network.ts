import { join } from 'node:path';
import type { Config, StoreConfig } from '../../config/config.js';
import type { EndpointReport, NetworksOptions } from '../../onchain/rpc/networks.js';
import { type Finding, fail, ok } from './finding.js';

const UNREACHED = 'See that the service can reach it, and that its key counts; others of the list stand in meanwhile.';
const WRONG = 'Replace it: an endpoint of another chain is never used.';

const wordOf = ({ label, error: fault, ms }: EndpointReport): string =>
  fault === undefined ? `${label} answers in ${Math.round(ms)} ms` : fault.shortMessage.replace(/\.$/, '');

const findingOf = (network: string, reports: readonly EndpointReport[]): Finding => {
  const faults = reports.flatMap(({ error: fault }) => fault ?? []);
  const result = faults.length === 0 ? 'ok' : faults.length < reports.length ? 'warn' : 'fail';
  const isWrong = faults.some(({ outcome }) => outcome === 'wrong_chain');
  return {
    check: `network ${network}`,
    result,
    text: reports.map(wordOf).join('; '),
    ...(result === 'ok' ? {} : { advice: isWrong ? WRONG : UNREACHED }),
  };
};

const ask = async (options: NetworksOptions): Promise<readonly EndpointReport[]> => {
  const { createNetworks } = await import('../../onchain/rpc/networks.js');
  return createNetworks(options).check();
};

/** Checks the chain of the development profile through one of the networks for which it is used. */
const diagnoseLocalChain = async (folder: string): Promise<Finding[]> => {
  const { readRunningChain } = await import('../../onchain/local/chain.js');
  const running = await readRunningChain(folder);
  const [report] = running ? await ask({ rpc: {}, localChain: { url: async () => running.url } }) : [];
  const check = 'local chain';
  if (running && report?.error === undefined) return [ok(check, `answers at ${running.url}`)];
  const text = running ? `does not answer at ${running.url}` : 'does not run';
  return [fail(check, text, 'Start the service again; its log says why the chain ended.')];
};

/**
 * Asks every endpoint for its chain id.
 * @param config of the running service, if any, which may have a local chain
 */
export const diagnoseNetworks = async (
  config: StoreConfig & Partial<Pick<Config, 'localChain'>>,
): Promise<Finding[]> => {
  const local = config.localChain ? await diagnoseLocalChain(join(config.dataDir, 'chain')) : [];
  const networks = Object.keys(config.rpc);
  if (networks.length === 0) {
    return local.length > 0 ? local : [ok('networks', 'none: no CASTELLAN_RPC_* variable is set')];
  }
  const reports = await ask({ rpc: config.rpc });
  return [
    ...local,
    ...networks.map((network) =>
      findingOf(
        network,
        reports.filter((one) => one.network === network),
      ),
    ),
  ];
};
