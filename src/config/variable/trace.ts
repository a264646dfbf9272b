import { anyText, httpUrl, type Parse, secret } from '../parse.js';
import { optional, variable } from '../variable-row.js';

const share: Parse<number> = (text, report) => {
  const value = Number(text);
  return value >= 0 && value <= 1 ? value : report('is not a number from 0 to 1.');
};

/**
 * Variables of traces, by the names that OpenTelemetry gives them
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl,
    'Collector of [traces](operating.md#traces), such as `http://127.0.0.1:4318`: they are sent as JSON to `/v1/traces` there. Without it there are none.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    secret(
      /^[^=,\s]+=([^,\s%]|%[\da-f]{2})*(,\s*[^=,\s]+=([^,\s%]|%[\da-f]{2})*)*$/i,
      'is not of the form name=value,name=value.',
    ),
    'Headers of these requests, such as a key: `name=value`, with commas between, and values encoded as in a URL.',
  ),
  OTEL_SERVICE_NAME: variable(anyText, 'castellan', 'Name of the service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    share,
    1,
    'Share of the traces that are recorded, from 0 to 1, of those that begin here. Requests with a `traceparent` follow its flag.',
  ),
} as const;
