import { domainsOrAny, integer, oneOf } from '../parse.js';
import { byProfile, variable } from '../variable-row.js';

/** How many requests are served at once, and how many wait (docs/decisions/0049-overload.md). */
export const REQUEST_VARIABLES = {
  CASTELLAN_REQUESTS: variable(
    integer(1, 10_000),
    32,
    'Requests in work at once, in each process. Eight times as many may wait for other servers (chains, models, hosts).',
  ),
  CASTELLAN_REQUESTS_PER_KEY: variable(
    integer(1, 10_000),
    8,
    'Those of one API key, or of one address without a key, while others send requests, too. A key that is alone may use all.',
  ),
  CASTELLAN_WAITING: variable(
    integer(0, 100_000),
    1024,
    'Further requests that wait for their turn. The others are answered with 503 and `Retry-After` ([overload](operating.md#overload)).',
  ),
  CASTELLAN_WAITING_PER_KEY: variable(integer(0, 100_000), 256, 'Those of one key or address.'),
  CASTELLAN_PUBLIC_READS: byProfile(
    oneOf('off', 'hub', 'all'),
    { serve: 'off', dev: 'hub' },
    'What may be read without an API key. `hub`: the paths of a hub (`/v1/`). `all`: also the reads under `/v2/` that belong to no app and ask no chain, model or name registry ([reads without a key](operating.md#reads-without-a-key)).',
  ),
  CASTELLAN_PUBLIC_READS_PER_ADDRESS: variable(
    integer(1, 1_000_000),
    300,
    'Requests a minute of one address without a key, to all operations together; the 64-bit network of an IPv6 address counts as one.',
  ),
  CASTELLAN_PUBLIC_READS_PER_MINUTE: variable(
    integer(1, 10_000_000),
    3000,
    'Requests a minute of all addresses without a key.',
  ),
  CASTELLAN_SIGN_IN_DOMAINS: variable(
    domainsOrAny,
    'any',
    'Domains of the apps that may use the sign-in services ([sign-in](sign-in.md)), separated by commas: `example.com,app.example.com:8443`. `any`: all. `none`: the services are off.',
  ),
  CASTELLAN_CONNECTIONS: variable(
    integer(1, 1_000_000),
    8192,
    'Client connections of a process, with those of streams. Further ones are closed at once.',
  ),
};
