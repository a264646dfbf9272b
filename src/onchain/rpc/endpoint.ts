import { http, RpcRequestError } from 'viem';
import { boundedFetch } from './bounded-fetch.js';
import { EndpointError, errorOf, type RpcOutcome, readAnswer } from './error.js';

/** A JSON-RPC request (EIP-1193). */
export interface RpcBody {
  readonly method: string;
  readonly params?: unknown;
}

/** How long an endpoint is tried last after an error, in milliseconds, unless it sent a Retry-After header. */
const COOLDOWN_MS: Readonly<
  Record<Exclude<EndpointError['outcome'], 'wrong_chain' | 'unsupported' | 'too_large'>, number>
> = {
  rate_limited: 2000,
  timeout: 30_000,
  unreachable: 5000,
  refused: 60_000,
  faulty: 5000,
};
const MAX_COOLDOWN_MS = 60_000;

export interface EndpointOptions {
  /** Shown instead of the URL: `CASTELLAN_RPC_BASE (2 of 3)`. */
  readonly label: string;
  /** Called before each request, because the local chain may restart on another port. */
  readonly url: () => string | Promise<string>;
  /** The chain id that the endpoint must report. */
  readonly chainId: number;
  /** Called after every request. */
  readonly onRequest: (outcome: RpcOutcome, seconds: number) => void;
  /** Called when the endpoint enters cooldown, and without an error when it is usable again. */
  readonly onStateChange: (label: string, endpointError: EndpointError | undefined) => void;
  /** Replaces how long an endpoint is tried last after an error without Retry-After, in milliseconds. */
  readonly cooldownMs?: number | undefined;
  /** Replaces the timeout of a check of the chain id, in milliseconds. */
  readonly checkMs?: number | undefined;
  /** Aborts pending requests. */
  readonly signal: AbortSignal;
}

/** Minimum length of a secret: shorter parts also occur in ordinary words. */
const MIN_SECRET = 6;
/** Minimum length of a host name label that may be a key or an account name instead of a word. */
const MIN_SECRET_LABEL = 12;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/**
 * Secrets may be in the path, the query, the user info or the host name of a URL. @returns them as written and decoded
 */
const secretsOf = (address: string): readonly string[] => {
  const { href, host, hostname, origin, username, password, pathname, search, searchParams } = new URL(address);
  const wholes = [address, href, pathname + search, search, search.slice(1), pathname];
  const values = search
    .slice(1)
    .split('&')
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const segments = pathname.split('/');
  const labels = hostname.split('.').filter((label) => label.length >= MIN_SECRET_LABEL);
  const login = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64');
  const written = [...wholes, ...values, ...segments, username, password, login];
  const parts = [...written, ...written.map(decoded), ...searchParams.values(), ...labels];
  const isSecret = (one: string): boolean => one.length >= MIN_SECRET && one !== origin && one !== host;
  return [...new Set(parts)].filter(isSecret).sort((a, b) => b.length - a.length);
};

/** @returns a function that removes the secrets of a URL from a text */
export const redactor =
  (address: string) =>
  (text: string): string =>
    secretsOf(address).reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);

/** One endpoint of a network. It is used only after it reported the right chain id. */
export class Endpoint {
  readonly label: string;
  readonly #options: EndpointOptions;
  #checking: Promise<void> | undefined;
  #isChecked = false;
  #isWrong = false;
  #cooldownUntil = 0;

  constructor(options: EndpointOptions) {
    this.label = options.label;
    this.#options = options;
  }

  /** Whether it is on another chain, so that it is never used. */
  get isWrong(): boolean {
    return this.#isWrong;
  }

  /** Time until which other endpoints are tried first, on the clock of `performance.now`. */
  get cooldownUntil(): number {
    return this.#cooldownUntil;
  }

  /**
   * @param timeoutMs for the request and the check of the chain id
   * @throws RpcRequestError for an error of the chain, EndpointError if the endpoint is unusable
   */
  request(body: RpcBody, timeoutMs: number): Promise<unknown> {
    return this.#within(timeoutMs, async (signal) => {
      await this.#requireChain(signal);
      return this.#send(body, signal);
    });
  }

  /** Checks the chain id, unless that was done. @throws EndpointError if the endpoint is unusable */
  async check(timeoutMs: number): Promise<void> {
    await this.#within(timeoutMs, (signal) => this.#requireChain(signal));
  }

  async #within<Result>(timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const end = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    try {
      const result = await work(AbortSignal.any([end, this.#options.signal]));
      this.#endCooldown();
      return result;
    } catch (error) {
      if (error instanceof RpcRequestError) this.#endCooldown();
      const endpointError = error instanceof RpcRequestError ? error : errorOf(error, this.label);
      if (endpointError instanceof EndpointError) this.#startCooldown(endpointError);
      throw endpointError;
    }
  }

  async #requireChain(signal: AbortSignal): Promise<void> {
    if (this.#isWrong) throw new EndpointError('wrong_chain', `${this.label} is on another chain.`);
    if (this.#isChecked) return;
    // Concurrent requests share one check, but each has its own timeout.
    this.#checking ??= this.#requestChainId().finally(() => {
      this.#checking = undefined;
    });
    await raceSignal(signal, this.#checking);
  }

  async #requestChainId(): Promise<void> {
    const { checkMs = CHECK_MS, signal: stopped } = this.#options;
    const signal = AbortSignal.any([AbortSignal.timeout(checkMs), stopped]);
    const noChainId = new EndpointError('faulty', `${this.label} does not report its chain id.`);
    const result = await this.#send({ method: 'eth_chainId' }, signal).catch((error: unknown) => {
      // An endpoint that rejects eth_chainId is unusable.
      throw error instanceof RpcRequestError ? noChainId : error;
    });
    const id = typeof result === 'string' && /^0x[0-9a-f]{1,13}$/i.test(result) ? Number(result) : undefined;
    if (id === undefined) throw noChainId;
    this.#isChecked = id === this.#options.chainId;
    this.#isWrong = !this.#isChecked;
    if (this.#isChecked) return;
    const message = `${this.label} is on chain ${id}, not on ${this.#options.chainId}: it is not used.`;
    const endpointError = new EndpointError('wrong_chain', message);
    this.#options.onRequest('wrong_chain', 0);
    this.#options.onStateChange(this.label, endpointError);
    throw endpointError;
  }

  /** Sends one request, without the check of the chain id. */
  async #send(body: RpcBody, signal: AbortSignal): Promise<unknown> {
    const { onRequest, url } = this.#options;
    const began = performance.now();
    let outcome: RpcOutcome = 'ok';
    try {
      const address = await raceSignal(signal, Promise.resolve(url()));
      let status = 0;
      let headers = new Headers();
      const transport = http(address, {
        raw: true,
        // The status and the Retry-After header decide what a JSON-RPC error means.
        onFetchResponse: (response) => {
          status = response.status;
          headers = response.headers;
        },
        fetchFn: boundedFetch(body.method),
        fetchOptions: { redirect: 'error' },
        retryCount: 0,
        // viem's own timeout would end when the headers arrive; the signal also ends a slow body.
        timeout: 0,
      });
      const data: unknown = await transport({ retryCount: 0 }).request(body as never, { signal });
      return readAnswer({ status, headers, data }, body, this.label, redactor(address));
    } catch (error) {
      const known = error instanceof RpcRequestError ? error : errorOf(error, this.label);
      outcome = known instanceof EndpointError ? known.outcome : 'error';
      throw known;
    } finally {
      onRequest(outcome, (performance.now() - began) / 1000);
    }
  }

  #startCooldown(endpointError: EndpointError): void {
    const { outcome, rpcError, retryAfter } = endpointError;
    // The error may be caused by the request itself: other endpoints are tried, but this one gets no cooldown.
    if (
      outcome === 'wrong_chain' ||
      outcome === 'unsupported' ||
      outcome === 'too_large' ||
      (rpcError && outcome === 'faulty') ||
      this.#options.signal.aborted
    )
      return;
    const isNews = this.#cooldownUntil === 0;
    this.#cooldownUntil =
      performance.now() + Math.min(retryAfter ?? this.#options.cooldownMs ?? COOLDOWN_MS[outcome], MAX_COOLDOWN_MS);
    // Another node may have started at this address.
    if (outcome === 'unreachable') this.#isChecked = false;
    if (isNews) this.#options.onStateChange(this.label, endpointError);
  }

  #endCooldown(): void {
    if (this.#cooldownUntil === 0) return;
    this.#cooldownUntil = 0;
    this.#options.onStateChange(this.label, undefined);
  }
}

/** Timeout of a chain id check, in milliseconds. */
const CHECK_MS = 4000;

/**
 * @returns the result of `work`
 * @throws DOMException, an AbortError, if the signal aborts first
 */
const raceSignal = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException('It took too long.', 'AbortError'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
