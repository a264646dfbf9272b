/** What a span says, by the names of OpenTelemetry (https://opentelemetry.io/docs/specs/semconv/) or `castellan.*`. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The span of a request, from its headers to the end of its response. */
export interface RequestSpan {
  /** Calls a function whose spans are below this one, also those of what it awaits. */
  within<Result>(work: () => Result): Result;
  /** @param status of the response; from 500 on, the span has failed */
  end(status: number): void;
}

/** Writes down what a process does, as spans of traces, and sends them to a collector. */
export interface Tracer {
  /**
   * Begins the span of a request, in the trace that its header `traceparent` names if it has one.
   * @returns undefined: it is not recorded
   */
  beginRequest(
    name: string,
    headers: Readonly<Record<string, unknown>>,
    attributes: SpanAttributes,
  ): RequestSpan | undefined;
  /** Runs work as a span below the current one, or as the first of a trace. The span fails if the work does. */
  span<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Runs work as a span below the current one; without one, or if that is not recorded, as it is. */
  child<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** Like `child`, for a call of another server that makes no further spans in this process. */
  call<Result>(name: string, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  /** @returns the headers by which a server that is called goes on with the current trace (W3C Trace Context) */
  headers(): Record<string, string>;
  /** Sends what is left, within two seconds. */
  stop(): Promise<void>;
}
