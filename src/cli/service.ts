import { join } from 'node:path';
import type { AppOptions, AppPorts } from '../app/app-options.js';
import { createLifecycle } from '../app/component.js';
import type { App } from '../app.js';
import { connectToPrimary, type PrimaryConnection } from '../cluster/worker.js';
import { type Config, loadConfig } from '../config/config.js';
import type { Environment } from '../config/env.js';
import type { Profile } from '../config/variable-row.js';
import { type FolderLock, lockFolder } from '../db/lock.js';
import { createLog, type Log } from '../log.js';
import type { LocalChain } from '../onchain/local/chain.js';
import { VERSION } from '../version.js';
import { allCommands } from './command-list.js';
import { type ControlServer, serveControl } from './control/server.js';
import type { EarlyPage } from './dev/early-page.js';
import { explainListen, stayUntilAborted } from './listening.js';
import { exitNow } from './terminal/exit-code.js';
import { type ExitResult, exitResultOf } from './terminal/exit-result.js';
import { createOutput, type OutputEvent } from './terminal/output.js';
import { onStopSignal } from './terminal/signal.js';
import { Startup } from './terminal/startup.js';
import { Terminal } from './terminal/terminal.js';

/** Seconds for a graceful stop; work that is unfinished after it was not acknowledged. */
const STOP_LIMIT = 10;
/** Milliseconds after the stop in which the process ends, whatever a library still waits for: a collector of traces. */
const LEFTOVER_LIMIT = 1_000;

/** The parts of a service, which are stopped in reverse order. */
class Service {
  readonly #config: Config;
  readonly #log: Log;
  readonly #startup: Startup | undefined;
  readonly #primary: PrimaryConnection | undefined;
  #lock: FolderLock | undefined;
  #app: App | undefined;
  #control: ControlServer | undefined;
  #chain: LocalChain | undefined;
  #ports: AppPorts | undefined;
  #earlyPage: EarlyPage | undefined;

  /** @param parts `startup`: additional steps before the service is ready; `primary`: set in a worker of a service */
  constructor(
    config: Config,
    log: Log,
    parts: { readonly startup: Startup | undefined; readonly primary: PrimaryConnection | undefined },
  ) {
    // The metrics of workers are added up by the primary process.
    this.#config = parts.primary ? { ...config, metrics: undefined } : config;
    this.#log = log;
    this.#startup = parts.startup;
    this.#primary = parts.primary;
  }

  /** @throws FolderLockedError, or the error of the part that failed */
  async start(): Promise<App> {
    const { database } = this.#config;
    if ('dataDir' in database) this.#lock = await lockFolder(database.dataDir);
    if (this.#startup) await this.#showEarlyPage(this.#startup);
    const [{ createApp }, local, sites] = await Promise.all([import('../app.js'), this.#startChain(), this.#sample()]);
    this.#startup?.begin('Opening the database');
    const readiness = this.#startup ? [this.#startup.readiness] : [];
    const siblings = this.#primary?.siblings;
    const releasePort = () => this.#releasePort();
    const app = await createApp(this.#config, { log: this.#log, readiness, siblings, releasePort, ...local, ...sites });
    this.#app = app;
    this.#ports = await app.start().catch((error: unknown) => {
      throw explainListen(error, this.#config);
    });
    const context = {
      config: this.#config,
      log: this.#log,
      openCore: async () => app.core,
      openDatabase: async () => app.core.db,
    };
    this.#primary?.started(app.services.metrics.registry);
    if (this.#lock) this.#control = serveControl(this.#lock, allCommands, () => context);
    return app;
  }

  async #showEarlyPage(startup: Startup): Promise<void> {
    const { showEarlyPage } = await import('./dev/early-page.js');
    this.#earlyPage = await showEarlyPage(this.#config, startup).catch((error: unknown) => {
      throw explainListen(error, this.#config);
    });
  }

  async #releasePort(): Promise<void> {
    await this.#earlyPage?.close();
    this.#earlyPage = undefined;
  }

  /** The local chain of the development profile, which may still be starting. */
  get chain(): LocalChain | undefined {
    return this.#chain;
  }

  /** Once the service is started; in development, some may be others than configured. */
  get ports(): AppPorts | undefined {
    return this.#ports;
  }

  /** A local network may contain the sample: its pictures, articles and mini apps have addresses of this service. */
  async #sample(): Promise<Pick<AppOptions, 'sampleFiles' | 'sampleMiniApps' | 'sampleWallets' | 'addLocalKey'>> {
    const { profile, hub, port } = this.#config;
    if (profile !== 'dev' || hub) return {};
    const [{ renderFile }, { sampleMiniApps }, { SAMPLE_WALLETS }, { addLocalKey }] = await Promise.all([
      import('../sample/file.js'),
      import('../sample/mini-app-site.js'),
      import('./dev/sample-wallet.js'),
      import('./dev/local-chain.js'),
    ]);
    return {
      sampleFiles: renderFile,
      sampleMiniApps: sampleMiniApps(`localhost:${port}`),
      sampleWallets: SAMPLE_WALLETS,
      addLocalKey,
    };
  }

  async #startChain(): Promise<Pick<AppOptions, 'localChain' | 'localTokens'>> {
    const { localChain, dataDir } = this.#config;
    if (!localChain) return {};
    const { startLocalChain } = await import('../onchain/local/chain.js');
    this.#chain = startLocalChain({
      folder: join(dataDir, 'chain'),
      noted: (message, error) => this.#log.warn({ err: error }, message),
    });
    const { LOCAL_KNOWN_TOKENS } = await import('../onchain/local/token.js');
    return { localChain: this.#chain, localTokens: LOCAL_KNOWN_TOKENS };
  }

  /** @throws the first error of a part that could not be stopped, when all others are */
  async stop(): Promise<void> {
    const parts = [
      // Last, so that no process opens the folder while this one still writes.
      { name: 'folder lock', stop: () => this.#lock?.release() },
      { name: 'early page', stop: () => this.#releasePort() },
      { name: 'local chain', stop: () => this.#chain?.stop() },
      { name: 'service', stop: () => this.#app?.stop() },
      { name: 'commands', stop: () => this.#control?.stop() },
    ];
    await createLifecycle(parts, this.#log).stop();
  }
}

/**
 * Runs the service until a signal stops it.
 * @param environment the variables, including options of the command line
 * @returns 0 after a signal and a graceful stop
 */
export const runService = async (
  profile: Profile,
  environment: Environment,
  options: { readonly sample: boolean; readonly still: boolean },
): Promise<ExitResult> => {
  let service: Service | undefined;
  let living: { stop(): Promise<void> } | undefined;
  const stopped = new AbortController();
  const release = onStopSignal(() => stopped.abort());
  const primary = connectToPrimary();
  try {
    const config = loadConfig(profile, environment);
    const log = createLog(config.logLevel).child(primary ? { worker: primary.id } : {});
    if (config.processes.workers > 1) {
      const { runWorkers } = await import('./workers.js');
      return await runWorkers(config, environment, log, stopped.signal);
    }
    const terminal = new Terminal();
    const print = (event: OutputEvent) => terminal.print(event);
    const output = createOutput(print);
    const startup = profile === 'dev' ? new Startup(output) : undefined;
    startup?.begin(`Starting Castellan ${VERSION} with the data in ${config.dataDir}`);
    if (profile === 'serve' && 'dataDir' in config.database)
      log.warn('the embedded database does not sync to disk: a power failure may lose or damage what it holds');
    service = new Service(config, log, { startup, primary });
    const app = await service.start();
    if (startup) {
      const { welcome } = await import('./dev/dev.js');
      const { chain, ports } = service;
      const sample = await welcome(app, config, {
        ...options,
        chain,
        ports,
        signal: stopped.signal,
        output,
        print,
        startup,
        log,
      });
      sample?.start();
      living = sample;
    } else {
      log.info({ url: config.publicUrl, host: config.host, port: config.port }, primary ? 'worker ready' : 'ready');
    }
    await stayUntilAborted(stopped.signal);
    log.info('stopping');
    return { code: 0 };
  } catch (error) {
    return stopped.signal.aborted ? { code: 0 } : exitResultOf(error);
  } finally {
    const limit = setTimeout(() => void exitNow(1), STOP_LIMIT * 1000).unref();
    await living?.stop();
    await service?.stop();
    clearTimeout(limit);
    release();
    primary?.close();
    setTimeout(() => void exitNow(Number(process.exitCode ?? 0)), LEFTOVER_LIMIT).unref();
  }
};
