import { HubEvent, OnChainEvent } from '@farcaster/core';
import { HubServiceService } from '@farcaster/hub-nodejs';
import { status as grpcStatus } from '@grpc/grpc-js';
import { toHex } from '../../src/hex.js';
import type { IngestItem } from '../../src/ingest/item.js';
import { readMessagePage } from '../../src/ingest/wire.js';
import { fromUnixMs } from '../../src/protocol/time.js';
import { type Author, author } from '../../src/sample/author.js';
import { type Clock, createClock, DAY } from '../../src/sample/clock.js';
import type { Signed } from '../../src/sample/signed-message.js';
import { RpcClient } from '../support/hub-rpc.js';
import type { Network } from '../support/network.js';
import { type Call, callOf, type Route } from './call.js';
import { Labels } from './label.js';
import type { CaseGroup, Surface } from './peer-case.js';

export const SEED = 'peer case';

/** A call, the same over gRPC and over HTTP; see the members of a case. */
export interface Ask {
  readonly name: string;
  readonly request: object;
  readonly next?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all calls
  readonly show?: ((body: any) => string) | undefined;
}

/** An answer, as its body or why there is none. */
interface Answer {
  /** `NOT_FOUND`, `404 not_found`; undefined for an answer with content. */
  readonly error?: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of all calls; bytes are hex
  readonly body?: any;
  readonly bytes?: Buffer | undefined;
  readonly nextPageToken?: Uint8Array | string | undefined;
}

/** @returns the value with hex in place of bytes */
const plain = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return toHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
};

/** The service that the cases are tried on, and the accounts that they make there. */
export class Front {
  readonly network: Network;
  readonly client: RpcClient;
  readonly labels = new Labels();
  /** Shared by all accounts. */
  readonly clock: Clock = createClock(fromUnixMs(Date.now()) - DAY);
  #accounts = 0;

  constructor(network: Network) {
    this.network = network;
    this.client = new RpcClient(network.hubRpc);
  }

  /** @returns an account that is not registered, with the next number */
  stranger(label = 'stranger'): Author {
    this.#accounts += 1;
    this.labels.nameFid(this.#accounts, label);
    return author({ seed: SEED, fid: this.#accounts, clock: this.clock });
  }
  /** @returns a registered account with a key and storage */
  async account(label = 'account', units = 1): Promise<Author> {
    const account = this.stranger(label);
    await this.store(account.register(), await account.addSigner(), account.rent(units));
    return account;
  }

  /** Stores messages and events one after the other, as if the followed hub had sent them; what is refused fails. */
  async store(...items: readonly (Signed | IngestItem)[]): Promise<void> {
    for (const item of items) {
      const one = 'item' in item ? item.item : item;
      const report = await this.network.app.core.ingest.submit([one], { source: 'hub', announce: true });
      if (Object.keys(report.invalid).length > 0) throw new Error(`refused: ${JSON.stringify(report.invalid)}`);
    }
    await this.network.app.services.siblingsUpToDate?.();
  }
  /** Gives messages and events their names in answers. */
  name<Named extends Readonly<Record<string, Signed | IngestItem>>>(named: Named): Named {
    for (const [label, one] of Object.entries(named)) {
      if ('item' in one) this.labels.nameMessage(one, label);
      else this.labels.nameItem(one, label);
    }
    return named;
  }
  /** Names and stores. */
  async write<Named extends Readonly<Record<string, Signed | IngestItem>>>(named: Named): Promise<Named> {
    await this.store(...Object.values(this.name(named)));
    return named;
  }

  /** @returns whether a call can be made in a place */
  has({ name, request }: Ask, surface: Surface): boolean {
    return surface === 'grpc' || callOf(name).route?.(request) !== undefined;
  }

  /** @returns the answer as the cases write it */
  async ask(ask: Ask, surface: Surface): Promise<string> {
    const { request, next } = ask;
    const first = await this.#send(ask, request, surface);
    if (next === undefined || first.error !== undefined) return this.#show(ask, first, surface);
    const pageToken = first.nextPageToken;
    if (pageToken === undefined || pageToken.length === 0) return 'no page token';
    return this.#show(ask, await this.#send(ask, { ...next, pageToken }, surface), surface);
  }

  #send(ask: Ask, request: object, surface: Surface): Promise<Answer> {
    return surface === 'grpc' ? this.#sendGrpc(ask, request) : this.#sendHttp(ask, request);
  }

  async #sendGrpc({ name, headers }: Ask, request: object): Promise<Answer> {
    const key = { 'x-api-key': this.network.apiKey, ...headers };
    if (!(name in HubServiceService)) return { error: await this.client.unknown(name, key) };
    const wire = 'wire' in request ? Buffer.from(request.wire as Uint8Array) : request;
    const { status, response, bytes, metadata } = await this.client.call(name as 'getCast', wire as never, key);
    if (response === undefined) {
      const [code] = metadata.get('x-err-code');
      return { error: [status, ...(code === undefined || !isCoded(status) ? [] : [String(code)])].join(' ') };
    }
    const { nextPageToken } = response as { nextPageToken?: Uint8Array };
    return { body: plain(response), bytes, nextPageToken };
  }

  async #sendHttp({ name, headers = {} }: Ask, request: object): Promise<Answer> {
    const route = callOf(name).route?.(request);
    if (route === undefined) throw new Error(`${name} cannot be asked over HTTP`);
    const { status, body } = await this.http(route, headers);
    if (status !== 200) return { error: [status, ...(status === 400 ? [body.errCode] : [])].join(' ') };
    return { body, nextPageToken: body.nextPageToken };
  }

  /** Makes a request over HTTP. It is not held against the contract, which does not describe all kinds of messages. */
  async http(
    { path, query = {}, body }: Route,
    headers: Ask['headers'] = {},
    // biome-ignore lint/suspicious/noExplicitAny: bodies of all calls
  ): Promise<{ status: number; body: any; headers: Headers }> {
    const url = new URL(`/v1/${path}`, this.network.url);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      headers: {
        'x-api-key': this.network.apiKey,
        ...(body && { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
      ...(body && { method: 'POST', body: Buffer.from(body) }),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }

  #show({ name, show }: Ask, answer: Answer, surface: Surface): string {
    if (answer.error !== undefined) return answer.error;
    if (show !== undefined) return show(answer.body);
    const { kind } = callOf(name);
    return surface === 'grpc' ? this.#showGrpc(kind, answer) : this.#showHttp(kind, answer);
  }

  #showGrpc(kind: Call['kind'], { body, bytes = Buffer.alloc(0) }: Answer): string {
    const { labels } = this;
    switch (kind) {
      case 'message':
        return labels.wire(bytes);
      case 'messages':
        return list(readMessagePage(bytes).messages.map((wire) => labels.wire(wire)));
      case 'event':
        return labels.event(OnChainEvent.decode(bytes));
      case 'hubEvent':
        return labels.hubEvent(HubEvent.decode(bytes));
      default:
        return this.#showHttp(kind, { body });
    }
  }

  #showHttp(kind: Call['kind'], { body }: Answer): string {
    const { labels } = this;
    switch (kind) {
      case 'message':
        // A list where a single message was asked for is shown as one.
        return body.messages === undefined ? labels.json(body) : this.#showHttp('messages', { body });
      case 'messages':
        return list(body.messages.map((message: { hash: string }) => labels.json(message)));
      case 'event':
        return labels.event(body);
      case 'events':
        return list(body.events.map((event: never) => labels.event(event)));
      case 'proof':
        return labels.proof(nameOf(body));
      case 'proofs':
        return list(body.proofs.map((proof: never) => labels.proof(nameOf(proof))));
      case 'fids':
        return list(body.fids.map((fid: number) => labels.fid(fid)));
      case 'hubEvent':
        return labels.hubEvent(body);
      case 'hubEvents':
        return list(body.events.map((event: never) => labels.hubEvent(event)));
      default:
        throw new Error('the case does not say how its answer is written');
    }
  }
}

/** Whether the hub's code of an error says more than its status. */
const isCoded = (status: string): boolean =>
  grpcStatus[status as keyof typeof grpcStatus] === grpcStatus.INVALID_ARGUMENT;

/** Bytes have become hex by now, in answers over gRPC. */
const nameOf = ({ name, fid }: { name: string; fid: number }) => ({
  ...{ fid, name: name.startsWith('0x') ? Buffer.from(name.slice(2), 'hex') : name },
});

export const list = (items: readonly string[]): string => `[${items.join(', ')}]`;

/** Cases of one file of a peer, whatever their state is. */
export type Cases = CaseGroup<Front, unknown>;

export const cases = <State>(group: CaseGroup<Front, State>): Cases => group as unknown as Cases;
