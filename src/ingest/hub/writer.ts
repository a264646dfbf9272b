import { AppError } from '../../error.js';
import { type IngestOutcome, reportOf, type SubmitOptions } from '../ingest-outcome.js';
import type { Ingest } from '../pipeline/pipeline.js';
import type { HubClient } from './client.js';
import { asItems } from './signer-resolver.js';

/** For each message what became of it; an error is the hub's. */
export type SubmitEach = (
  wires: readonly Uint8Array[],
  options: SubmitOptions,
) => Promise<readonly (IngestOutcome | AppError)[]>;

/** Submits messages of a service without a hub. */
export const submitEachTo =
  (ingest: Ingest): SubmitEach =>
  async (wires, options) =>
    (await ingest.submit(asItems(wires), options)).outcomes;

interface HubWriter {
  readonly client: Pick<HubClient, 'submitMessage'>;
  readonly ingest: Ingest;
}

interface Sent {
  /** Undefined: the hub has the message. */
  readonly error: AppError | undefined;
  /** Whether the hub had it before. */
  readonly wasKnown: boolean;
}

const sendOne = async (client: Pick<HubClient, 'submitMessage'>, wire: Uint8Array): Promise<Sent> => {
  try {
    await client.submitMessage(wire);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.hubCode !== 'bad_request.duplicate') return { error, wasKnown: false };
    return { error: undefined, wasKnown: true };
  }
  return { error: undefined, wasKnown: false };
};

const isUnavailable = ({ kind }: AppError): boolean => kind === 'unavailable';

/** @returns what became of the messages at the hub. Those after an error that ends it are not sent, and have that error. */
const send = async (
  client: Pick<HubClient, 'submitMessage'>,
  wires: readonly Uint8Array[],
  ends: (error: AppError) => boolean,
): Promise<Sent[]> => {
  const sent: Sent[] = [];
  for (const wire of wires) {
    const last = sent.at(-1);
    sent.push(last?.error && ends(last.error) ? last : await sendOne(client, wire));
  }
  return sent;
};

/**
 * The store's outcome of a message that the hub has. What the store still rejects (its key's registration has not arrived)
 * comes with the stream, which may also have brought a message before it was stored here.
 */
const outcomeOf = (outcome: IngestOutcome, { wasKnown }: Sent): IngestOutcome =>
  outcome.status === 'invalid' || (outcome.status === 'known' && !wasKnown) ? { status: 'merged' } : outcome;

/**
 * Submits messages of a service with a hub: first to the hub, which decides, then to the store, without waiting for the
 * hub's stream. A message that the hub already has was accepted in an earlier attempt and is stored, too.
 */
const submitEach = async (
  { client, ingest }: HubWriter,
  [wires, options]: Parameters<SubmitEach>,
  ends: (error: AppError) => boolean,
): Promise<(IngestOutcome | AppError)[]> => {
  const sent = await send(client, wires, ends);
  const items = asItems(wires.filter((_, index) => sent[index]?.error === undefined));
  const { outcomes } =
    items.length === 0 ? { outcomes: [] } : await ingest.submit(items, { ...options, source: 'hub' });
  const stored = outcomes.values();
  return sent.map((one) => one.error ?? outcomeOf(stored.next().value as IngestOutcome, one));
};

/**
 * Submits messages, of which one that the hub rejects does not keep the others from it.
 * @throws AppError kind `unavailable` if the hub does not respond to the first
 */
export const submitEachThroughHub =
  (writer: HubWriter): SubmitEach =>
  async (wires, options) => {
    const outcomes = await submitEach(writer, [wires, options], isUnavailable);
    const [first] = outcomes;
    if (first instanceof AppError && isUnavailable(first)) throw first;
    return outcomes;
  };

/**
 * Submits messages up to the first that the hub rejects.
 * @throws AppError kind `invalid` if the hub rejects a message, `unavailable` if it does not respond
 */
export const submitThroughHub =
  (writer: HubWriter): Ingest['submit'] =>
  async (items, options) => {
    const wires = items.flatMap((item) => (item.kind === 'message' ? [item.wire] : []));
    const outcomes = await submitEach(writer, [wires, options], () => true);
    return reportOf(
      outcomes.map((outcome) => {
        if (outcome instanceof AppError) throw outcome;
        return outcome;
      }),
    );
  };
