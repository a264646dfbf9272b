import type { Config } from '../config/config.js';
import { MINUTE_MS } from '../duration.js';
import type { Log } from '../log.js';
import type { Tracer } from './tracer.js';

/** @returns undefined without `OTEL_EXPORTER_OTLP_ENDPOINT`: then the library is not even loaded */
export const openTracer = async (
  { tracing, processes }: Pick<Config, 'tracing' | 'processes'>,
  log: Log,
): Promise<Tracer | undefined> => {
  if (tracing === undefined) return undefined;
  const { openTelemetryTracer } = await import('./open-telemetry.js');
  let silentUntil = 0;
  return openTelemetryTracer(tracing, [...processes.roles].join(','), (err) => {
    // Every few seconds while the collector is away.
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + MINUTE_MS;
    log.warn({ err }, 'traces could not be sent, and are lost');
  });
};
