import { createMetricsServer } from '../api/metrics-server.js';
import { Supervisor, WorkerFailedError, type WorkerPlan } from '../cluster/supervisor.js';
import type { Config } from '../config/config.js';
import type { Environment } from '../config/env.js';
import type { Role } from '../config/variable.js';
import type { Log } from '../log.js';
import { explainListen, waitForAbort } from './listening.js';
import type { ExitResult } from './terminal/exit-result.js';

/** Workers that answer requests, and a process for each other role, so that none delays another. */
const plansOf = ({ processes, hub }: Config, environment: Environment): WorkerPlan[] => {
  const plan = (role: Role, more: Environment = {}): WorkerPlan => ({
    role,
    environment: { ...environment, CASTELLAN_ROLE: role, CASTELLAN_WORKERS: '1', ...more },
  });
  // A worker verifies only what is written through it, so one thread is enough.
  const threads = { CASTELLAN_VERIFY_THREADS: environment.CASTELLAN_VERIFY_THREADS || '1' };
  const plans = Array.from({ length: processes.workers }, () => plan('api', threads));
  if (processes.roles.has('ingest') && hub) plans.push(plan('ingest'));
  if (processes.roles.has('job')) plans.push(plan('job'));
  return plans;
};

/**
 * Runs a service of several processes until a signal stops it. This one answers only `/metrics`.
 * @param environment the variables, including options of the command line
 */
export const runWorkers = async (
  config: Config,
  environment: Environment,
  log: Log,
  stop: AbortSignal,
): Promise<ExitResult> => {
  const plans = plansOf(config, environment);
  const supervisor = new Supervisor(plans, log);
  const metrics = config.metrics && createMetricsServer(supervisor.metrics);
  try {
    if (config.metrics) {
      await metrics?.listen(config.metrics).catch((error: unknown) => {
        throw explainListen(error, config);
      });
    }
    const stopped = waitForAbort(stop);
    await Promise.race([supervisor.start(), stopped]);
    if (!stop.aborted) {
      log.info({ url: config.publicUrl, host: config.host, port: config.port, workers: plans.length }, 'ready');
    }
    await Promise.race([supervisor.failed, stopped]);
    log.info('stopping');
    return { code: 0 };
  } catch (error) {
    if (!(error instanceof WorkerFailedError)) throw error;
    return { code: error.exitCode, message: error.message };
  } finally {
    await supervisor.stop();
    await metrics?.stop();
  }
};
