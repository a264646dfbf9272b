import { RpcRequestError } from 'viem';
import { getHttpRpcClient } from 'viem/utils';
import { EndpointFault, faultOf, type RpcOutcome, readAnswer } from './rpc-fault.js';

/** A JSON-RPC request as EIP-1193 has it. */
export interface RpcBody {
  readonly method: string;
  readonly params?: unknown;
}

/** How long an endpoint is passed over after a fault, in milliseconds, unless it says itself when to come again. */
const ASIDE_MS: Readonly<Record<Exclude<EndpointFault['outcome'], 'wrong_chain' | 'unsupported'>, number>> = {
  rate_limited: 2000,
  timeout: 30_000,
  unreachable: 5000,
  refused: 60_000,
  faulty: 5000,
};
const MAX_ASIDE_MS = 60_000;

export interface EndpointOptions {
  /** What is shown instead of the address: `RPC_BASE (2 of 3)`. */
  readonly label: string;
  /** Asked before each request: the local chain may come back at another port. */
  readonly url: () => string | Promise<string>;
  /** What it must report. */
  readonly chainId: number;
  /** Told of every request. */
  readonly done: (outcome: RpcOutcome, seconds: number) => void;
  /** Told when the endpoint is passed over from now on, and (without a fault) when it is of use again. */
  readonly turned: (label: string, fault: EndpointFault | undefined) => void;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** What is shorter stands in other words, too. */
const MIN_SECRET = 6;
/** Names of hosts are words; a label that is longer may be a key, or name the account. */
const MIN_SECRET_LABEL = 12;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Secrets stand in the path, the query or the user of an address, or in the name of the host. As written, and as meant. */
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

/** @returns what takes the secrets of an address out of a text. */
export const redactor =
  (address: string) =>
  (text: string): string =>
    secretsOf(address).reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);

/** One address of a network: asked only once it has said that it is on the right chain. */
export class Endpoint {
  readonly label: string;
  readonly #options: EndpointOptions;
  #checking: Promise<void> | undefined;
  #isChecked = false;
  #isWrong = false;
  #asideUntil = 0;

  constructor(options: EndpointOptions) {
    this.label = options.label;
    this.#options = options;
  }

  /** Whether it is on another chain: nothing is asked of it any more. */
  get isWrong(): boolean {
    return this.#isWrong;
  }

  /** Until when others are asked first, on the clock of `performance.now`. */
  get asideUntil(): number {
    return this.#asideUntil;
  }

  /**
   * @param timeoutMs for everything, the question for its chain included
   * @throws RpcRequestError where the chain said no, EndpointFault where the endpoint is of no use.
   */
  request(body: RpcBody, timeoutMs: number): Promise<unknown> {
    return this.#within(timeoutMs, async (signal) => {
      await this.#requireChain(signal);
      return this.#ask(body, signal);
    });
  }

  /** Asks for its chain, unless that is known. @throws EndpointFault where it is of no use. */
  async look(timeoutMs: number): Promise<void> {
    await this.#within(timeoutMs, (signal) => this.#requireChain(signal));
  }

  async #within<Result>(timeoutMs: number, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const end = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    try {
      const result = await work(AbortSignal.any([end, this.#options.signal]));
      this.#returned();
      return result;
    } catch (error) {
      if (error instanceof RpcRequestError) this.#returned();
      const fault = error instanceof RpcRequestError ? error : faultOf(error, this.label);
      if (fault instanceof EndpointFault) this.#fell(fault);
      throw fault;
    }
  }

  async #requireChain(signal: AbortSignal): Promise<void> {
    if (this.#isWrong) throw new EndpointFault('wrong_chain', `${this.label} is on another chain.`);
    if (this.#isChecked) return;
    // Requests that come at the same time share the question, but not the patience of whoever asked first.
    this.#checking ??= this.#askForChain().finally(() => {
      this.#checking = undefined;
    });
    await before(signal, this.#checking);
  }

  async #askForChain(): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(CHECK_MS), this.#options.signal]);
    const silent = new EndpointFault('faulty', `${this.label} does not tell its chain id.`);
    const said = await this.#ask({ method: 'eth_chainId' }, signal).catch((error: unknown) => {
      // An endpoint that will not even say this is of no use, whatever its reason.
      throw error instanceof RpcRequestError ? silent : error;
    });
    const id = typeof said === 'string' && /^0x[0-9a-f]{1,13}$/i.test(said) ? Number(said) : undefined;
    if (id === undefined) throw silent;
    this.#isChecked = id === this.#options.chainId;
    this.#isWrong = !this.#isChecked;
    if (this.#isChecked) return;
    const message = `${this.label} is on chain ${id}, not on ${this.#options.chainId}: it is not used.`;
    const fault = new EndpointFault('wrong_chain', message);
    this.#options.done('wrong_chain', 0);
    this.#options.turned(this.label, fault);
    throw fault;
  }

  /** One request over HTTP, whatever the chain. */
  async #ask(body: RpcBody, signal: AbortSignal): Promise<unknown> {
    const { done, url } = this.#options;
    const began = performance.now();
    let outcome: RpcOutcome = 'ok';
    try {
      const address = await before(signal, Promise.resolve(url()));
      let status = 0;
      let headers = new Headers();
      const data: unknown = await getHttpRpcClient(address).request({
        body: body as { method: string; params?: unknown },
        // The signal ends a body that trickles in, too; the client's own time would end with the headers.
        fetchOptions: { signal, redirect: 'error' },
        timeout: 0,
        onResponse: (response) => {
          status = response.status;
          headers = response.headers;
        },
      });
      return readAnswer({ status, headers, data }, body, this.label, redactor(address));
    } catch (error) {
      const known = error instanceof RpcRequestError ? error : faultOf(error, this.label);
      outcome = known instanceof EndpointFault ? known.outcome : 'error';
      throw known;
    } finally {
      done(outcome, (performance.now() - began) / 1000);
    }
  }

  #fell(fault: EndpointFault): void {
    const { outcome, answer, retryAfter } = fault;
    // What it answers with an error may be the request's own doing: others are asked, but it keeps its place.
    if (
      outcome === 'wrong_chain' ||
      outcome === 'unsupported' ||
      (answer && outcome === 'faulty') ||
      this.#options.signal.aborted
    )
      return;
    const isNews = this.#asideUntil === 0;
    this.#asideUntil = performance.now() + Math.min(retryAfter ?? ASIDE_MS[outcome], MAX_ASIDE_MS);
    // What comes back at this address may be something else.
    if (outcome === 'unreachable') this.#isChecked = false;
    if (isNews) this.#options.turned(this.label, fault);
  }

  #returned(): void {
    if (this.#asideUntil === 0) return;
    this.#asideUntil = 0;
    this.#options.turned(this.label, undefined);
  }
}

/** The question for the chain is short; what takes longer than this answers nothing in time either. */
const CHECK_MS = 4000;

/** @returns what `work` does. @throws DOMException, an AbortError, when the signal comes first. */
const before = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = (): void => reject(new DOMException('It took too long.', 'AbortError'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
