import { createConsoleLink } from '../../access/console-session.js';
import type { AppPorts } from '../../app/app-options.js';
import type { App } from '../../app.js';
import type { Config } from '../../config/config.js';
import { DEVELOPMENT_KEY_FILES } from '../../config/development-secret.js';
import type { Log } from '../../log.js';
import type { LocalChain } from '../../onchain/local/chain.js';
import type { Output, OutputEvent } from '../terminal/output.js';
import type { Startup } from '../terminal/startup.js';
import { chainLines, deployLine, prepareLocalChain } from './chain.js';
import type { createLivingNetwork } from './living.js';
import { prepareDevelopmentSigner } from './signer.js';

type LivingNetwork = ReturnType<typeof createLivingNetwork>;

/** How long the start waits for the previews of links, most of which this service has itself. */
const PREVIEWS_MS = 5_000;

interface Example {
  readonly fid: number;
  readonly username: string | undefined;
  readonly castHash: string | undefined;
}

/** The plan of the key has no compute units left (`CASTELLAN_QUOTA_MODE=enforce`). */
class NoUnitsError extends Error {}

const getJson = async <Body>(url: string, apiKey: string): Promise<Body> => {
  const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
  if (response.status === 402) throw new NoUnitsError(url);
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Body;
};

/** Reads an example from the service, so that the printed requests find something. */
const readExample = async (baseUrl: string, apiKey: string): Promise<Example | undefined> => {
  const get = <Body>(path: string): Promise<Body> => getJson(`${baseUrl}${path}`, apiKey);
  const { fids } = await get<{ fids: number[] }>('/v1/fids?shard_id=1&pageSize=20');
  let example: Example | undefined;
  for (const fid of fids) {
    const casts = await get<{ messages: { hash: string }[] }>(`/v1/castsByFid?fid=${fid}&pageSize=1&reverse=true`);
    const { users } = await get<{ users: { username: string }[] }>(`/v2/social/user/bulk/?fids=${fid}`);
    example = { fid, username: users[0]?.username, castHash: casts.messages[0]?.hash };
    if (example.username && example.castHash) break;
  }
  return example;
};

/** @returns undefined if there is none, or the plan does not allow looking for one */
const findExample = async (baseUrl: string, apiKey: string): Promise<Example | undefined> => {
  try {
    return await readExample(baseUrl, apiKey);
  } catch (error) {
    if (error instanceof NoUnitsError) return undefined;
    throw error;
  }
};

const curlLines = (baseUrl: string, apiKey: string, example: Example | undefined): string[] => {
  const paths =
    example === undefined
      ? ['/v1/info?dbstats=true', '/v1/fids?shard_id=1', '/v1/events']
      : [
          `/v1/castsByFid?fid=${example.fid}&pageSize=3&reverse=true`,
          example.username === undefined
            ? `/v2/social/user/bulk/?fids=${example.fid}`
            : `/v2/social/user/by_username/?username=${encodeURIComponent(example.username)}`,
          example.castHash === undefined
            ? `/v1/userDataByFid?fid=${example.fid}`
            : `/v2/social/cast/?identifier=${example.castHash}&type=hash`,
        ];
  return paths.map((path) => `  curl -s -H 'x-api-key: ${apiKey}' '${baseUrl}${path}'`);
};

/**
 * Loads the sample network if it is missing, then prints how to use the service.
 * @returns what makes the accounts of the sample act, to be started; undefined: nothing does
 */
export const welcome = async (
  app: App,
  config: Config,
  options: {
    readonly sample: boolean;
    /** The accounts of the sample do nothing. */
    readonly still: boolean;
    readonly log: Log;
    readonly chain: LocalChain | undefined;
    readonly ports: AppPorts | undefined;
    readonly signal: AbortSignal;
    readonly output: Output;
    readonly print: (event: OutputEvent) => void;
    readonly startup: Startup;
  },
): Promise<LivingNetwork | undefined> => {
  const { output, startup, ports, log } = options;
  let living: LivingNetwork | undefined;
  if (options.sample && config.hub === undefined) {
    const { loadSample } = await import('./sample.js');
    const sample = await loadSample(app.core, {
      publicUrl: config.publicUrl,
      port: config.port,
      readPages: async (signal) => {
        if (!config.isCrawling) return;
        await app.readMiniApps(signal);
        await app.readEmbeds(AbortSignal.any([signal, AbortSignal.timeout(PREVIEWS_MS)]));
      },
      startup,
      signal: options.signal,
      changed: app.invalidate,
    });
    if (options.signal.aborted) return undefined;
    if (!sample) output.note('The store has data of its own, so the sample network was not loaded.');
    else if (!options.still) {
      const { createLivingNetwork } = await import('./living.js');
      living = createLivingNetwork(app.core, { pictures: sample.pictures, since: sample.now, log });
    }
  }
  const baseUrl = `http://127.0.0.1:${config.port}`;
  const apiKey = config.apiKey?.reveal() ?? '';
  const example = await findExample(baseUrl, apiKey);
  if (options.chain) startup.begin('Preparing the local chain');
  const chain = options.chain && (await prepareLocalChain(options.chain, app, config, output));
  const signer = await prepareDevelopmentSigner(app, config);
  const { keyId } = await app.services.authenticator.authenticate(apiKey);
  const link = await createConsoleLink(app.core.db, keyId, Date.now());
  const hubPort = config.hubHttpPort ?? config.port;
  startup.done();
  const lines = [
    '',
    'Castellan is running (development).',
    '',
    `  Base URL   ${config.publicUrl}`,
    `  Hub URL    http://127.0.0.1:${hubPort}`,
    ...(ports?.hubRpcPort ? [`  Hub gRPC   127.0.0.1:${ports.hubRpcPort}`] : []),
    `  Console    ${baseUrl}/console/?link=${link}`,
    `  Guides     ${baseUrl}/guides`,
    `  Reference  ${baseUrl}/docs`,
    ...(ports?.metricsPort ? [`  Metrics    http://${config.metrics?.host}:${ports.metricsPort}/metrics`] : []),
    `  API key    ${apiKey}`,
    ...(signer ? [`  Signer     ${signer.uuid} (writes as account ${signer.fid})`] : []),
    ...(chain ? chainLines(chain, config.rpc) : []),
    '',
    'Try:',
    '',
    ...curlLines(baseUrl, apiKey, example),
    ...(chain ? deployLine(baseUrl, apiKey, chain) : []),
    '',
  ];
  for (const text of lines) options.print({ type: 'line', text });
  output.note(
    `The keys in ${config.dataDir} (${Object.values(DEVELOPMENT_KEY_FILES).join(', ')}) are for development: production runs with \`castellan serve\`.`,
  );
  if (config.host !== '127.0.0.1')
    output.note(`It listens on ${config.host}: whoever reaches this machine can try it.`);
  if (living) output.note('The accounts of the sample network act every few seconds: `--still` stops that.');
  output.note('Ctrl-C stops it.');
  return living;
};
