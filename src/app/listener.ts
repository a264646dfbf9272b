import { Gauge } from 'prom-client';
import { buildHubRpcServer } from '../api/grpc/server.js';
import type { Services } from '../api/http/service.js';
import { createMetricsServer } from '../api/metrics-server.js';
import { buildServer } from '../api/server.js';
import { checkReadiness } from '../api/system/readiness.js';
import type { Config } from '../config/config.js';
import type { AppOptions, AppPorts } from './app-options.js';

/** Measures each check of readiness when the metrics are collected. */
const addHealthGauge = (services: Services): Gauge =>
  new Gauge({
    name: 'castellan_health',
    help: 'Whether a check of /health/ready and /health/fresh passes: 1, or 0',
    labelNames: ['check'],
    registers: [services.metrics.registry],
    async collect() {
      const { checks } = await checkReadiness(services);
      for (const [check, { ok }] of Object.entries(checks)) this.set({ check }, ok ? 1 : 0);
    },
  });

/** The servers of a process; one that answers no requests has only that of the metrics. */
export const createListeners = (
  config: Config,
  services: Services,
  {
    validateResponses = false,
    operations = [],
    releasePort,
  }: Pick<AppOptions, 'validateResponses' | 'operations' | 'releasePort'>,
) => {
  const { host, port, hubHttpPort, trustedProxies } = config;
  const common = {
    validateResponses,
    maxConnections: config.requests.connections,
    compresses: config.compresses,
    logsRequests: config.logsRequests,
  };
  const isAnswering = config.processes.roles.has('api');
  const api = isAnswering ? buildServer(services, { ...common, operations, trustedProxies }) : undefined;
  const isHub = isAnswering && hubHttpPort !== undefined;
  const hub = isHub ? buildServer(services, { ...common, families: ['hub'] }) : undefined;
  const hubRpc = isAnswering && config.hubRpc ? buildHubRpcServer(config.hubRpc, services, common) : undefined;
  addHealthGauge(services);
  const metrics = config.metrics && createMetricsServer(services.metrics.registry, () => checkReadiness(services));
  let ports: AppPorts | undefined;
  return {
    servers: {
      /** Stops accepting connections, and finishes requests in progress. */
      stop: () => Promise.all([api?.stop(), hub?.stop(), hubRpc?.stop()]),
    },
    metrics: { stop: () => metrics?.stop() },
    /** @throws the network's error if a port is in use */
    listen: async (): Promise<void> => {
      await releasePort?.();
      ports = {
        port: (await api?.listen({ host, port })) ?? 0,
        hubPort: isHub ? await hub?.listen({ host, port: hubHttpPort }) : undefined,
        // Last, because in development they take ports that the others left free.
        hubRpcPort: await hubRpc?.listen(host),
        metricsPort: config.metrics && (await metrics?.listen(config.metrics)),
      };
    },
    /** @throws Error before `listen` has succeeded */
    ports: (): AppPorts => {
      if (ports === undefined) throw new Error('the ports are not open');
      return ports;
    },
  };
};
