import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import type { TraceConfig } from '../config/config.js';
import { VERSION } from '../version.js';
import type { SpanAttributes, Tracer } from './tracer.js';

/** How long a stop waits for a collector that does not answer. */
const STOP_MS = 2_000;

/** @param text `name=value,name=value`, with values encoded as in a URL (W3C Baggage), as the specification says */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const at = pair.indexOf('=');
      return at === -1 ? [] : [[pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1))]];
    }),
  );

const fail = (span: Span, error: unknown): void => {
  // Messages may hold what users wrote; the log has them.
  const message = error instanceof Error ? error.name : 'error';
  span.setStatus({ code: SpanStatusCode.ERROR, message });
};

/**
 * Sends spans as JSON over HTTP (OTLP, https://opentelemetry.io/docs/specs/otlp/#otlphttp).
 * @param failed called when spans could not be sent; they are lost
 */
export const openTelemetryTracer = (config: TraceConfig, role: string, failed: (error: unknown) => void): Tracer => {
  // Otherwise the library keeps such errors for itself.
  setGlobalErrorHandler(failed);
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint}/v1/traces`,
    headers: readHeaders(config.headers?.reveal() ?? ''),
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.serviceName,
      'service.version': VERSION,
      'process.pid': process.pid,
      'castellan.role': role,
    }),
    // Whether one that begins here is recorded is decided before its span is made.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('castellan', VERSION);
  const isChosen = (): boolean => Math.random() < config.recordedShare;
  const propagator = new W3CTraceContextPropagator();
  /** Only of what is recorded: on Node.js before 24, every promise of the process costs more from the first context on. */
  const current = new AsyncLocalStorage<Context>();

  const ending = async <Result>(span: Span, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  };
  const begin = (name: string, kind: SpanKind, attributes: SpanAttributes, parent: Context): Span =>
    tracer.startSpan(name, { kind, attributes }, parent);
  const isRecorded = (parent: Context | undefined): parent is Context =>
    parent !== undefined && trace.getSpan(parent)?.isRecording() === true;
  const runBelow = <Result>(
    parent: Context,
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const span = begin(name, SpanKind.INTERNAL, attributes, parent);
    return current.run(trace.setSpan(parent, span), () => ending(span, work));
  };

  return {
    beginRequest: (name, headers, attributes) => {
      // Most requests of a busy service, which must cost nothing.
      if (headers.traceparent === undefined && !isChosen()) return undefined;
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      // A header that names no trace begins one of its own.
      if (trace.getSpanContext(parent) === undefined && headers.traceparent !== undefined && !isChosen())
        return undefined;
      const span = begin(name, SpanKind.SERVER, attributes, parent);
      if (!span.isRecording()) return undefined;
      const context = trace.setSpan(parent, span);
      return {
        within: (work) => current.run(context, work),
        end: (status) => {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    span: (name, attributes, work) => {
      const parent = current.getStore();
      // What a request set going goes on after its end, and is not of its trace any more.
      if (isRecorded(parent)) return runBelow(parent, name, attributes, work);
      return isChosen() ? runBelow(ROOT_CONTEXT, name, attributes, work) : work();
    },
    child: (name, attributes, work) => {
      const parent = current.getStore();
      return isRecorded(parent) ? runBelow(parent, name, attributes, work) : work();
    },
    call: (name, attributes, work) => {
      const parent = current.getStore();
      if (!isRecorded(parent)) return work();
      return ending(begin(name, SpanKind.CLIENT, attributes, parent), work);
    },
    headers: () => {
      const carrier: Record<string, string> = {};
      const context = current.getStore();
      if (isRecorded(context)) propagator.inject(context, carrier, defaultTextMapSetter);
      return carrier;
    },
    stop: async () => {
      const given = new AbortController();
      await Promise.race([
        provider.shutdown().catch(failed),
        wait(STOP_MS, undefined, { signal: given.signal }).catch(() => undefined),
      ]);
      given.abort();
    },
  };
};
