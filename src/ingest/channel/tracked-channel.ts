import { bareHex, fromHex } from '../../hex.js';
import {
  type ChannelChange,
  type ChannelState,
  decide,
  emptyChannel,
  evolve,
  type Refusal,
  type SlotState,
} from '../../protocol/channel/authority.js';
import type { ChannelMessage, ChannelMetadata, ChannelRegistration } from '../../protocol/channel/decode.js';
import { CastingMode, MembershipMode } from '../../protocol/channel/type.js';
import { toUnixMs } from '../../protocol/time.js';
import type { ProtocolChannelRow } from '../../store/channel/protocol-channel.js';
import type { ModerationRow, SlotRow } from '../../store/channel/protocol-slot.js';
import { storable } from '../../store/protocol/text.js';

type Row = { -readonly [Column in keyof ProtocolChannelRow]: ProtocolChannelRow[Column] };

/** @returns a channel that was registered by this event, before any message */
export const registeredRow = (id: Uint8Array, registration: ChannelRegistration): ProtocolChannelRow => ({
  id,
  key: storable(registration.key),
  label: registration.label === null ? null : storable(registration.label),
  owner_address: registration.ownerAddress ?? null,
  expires_at: registration.expiry || null,
  registered_at: new Date(registration.blockTimestamp * 1000),
  block_number: registration.blockNumber,
  log_index: registration.logIndex,
  owner_fid: null,
  name: null,
  description: null,
  image_url: null,
  header: null,
  rules: null,
  casting_mode: CastingMode.membersOnly,
  membership_mode: MembershipMode.approval,
  described_at: null,
  pinned_cast_hash: null,
  slot_count: 0,
  moderator_count: 0,
  moderation_count: 0,
  shown_url: null,
});

const metadataOf = (row: ProtocolChannelRow): ChannelMetadata | undefined =>
  row.described_at === null
    ? undefined
    : {
        name: row.name,
        description: row.description,
        imageUrl: row.image_url,
        header: row.header,
        rules: row.rules,
        castingMode: row.casting_mode as ChannelMetadata['castingMode'],
        membershipMode: row.membership_mode as ChannelMetadata['membershipMode'],
      };

const stateOf = (row: ProtocolChannelRow): ChannelState => ({
  ...emptyChannel(),
  owner: row.owner_fid ?? undefined,
  metadata: metadataOf(row),
  pin: row.pinned_cast_hash ?? undefined,
  slotCount: row.slot_count,
  moderatorCount: row.moderator_count,
  moderationCount: row.moderation_count,
});

const textOrNull = (text: string | null): string | null => (text === null ? null : storable(text));

const isMember = (state: SlotState | undefined): boolean => state === 'member' || state === 'moderator';

/** A slot before and after a batch. */
export interface SlotChange {
  readonly before: SlotState | undefined;
  readonly after: SlotRow;
}

/** A channel in memory while a batch changes it. */
export class TrackedChannel {
  readonly row: Row;
  readonly #state: ChannelState;
  readonly #since = new Map<number, Date>();
  readonly #slots = new Map<number, SlotChange>();
  readonly #moderations = new Map<string, boolean>();
  /** The owner before the batch. */
  readonly formerOwner: number | null;
  isChanged: boolean;

  constructor(row: ProtocolChannelRow, isNew: boolean) {
    this.row = { ...row };
    this.#state = stateOf(row);
    this.formerOwner = row.owner_fid;
    this.isChanged = isNew;
  }

  /** Adds what is stored of an account or a cast that a message of the batch concerns. */
  loadSlot({ fid, state, since }: SlotRow): void {
    this.#state.slots.set(fid, state);
    this.#since.set(fid, since);
  }

  loadModeration({ cast_hash, hidden }: ModerationRow): void {
    this.#state.moderations.set(bareHex(cast_hash), hidden);
  }

  /** An event that is not newer than the last one changes nothing; what an event does not contain stays. */
  register(registration: ChannelRegistration): void {
    const { row } = this;
    const { blockNumber, logIndex } = registration;
    if (blockNumber < row.block_number || (blockNumber === row.block_number && logIndex <= row.log_index)) return;
    row.block_number = blockNumber;
    row.log_index = logIndex;
    row.owner_address = registration.ownerAddress ?? row.owner_address;
    row.expires_at = registration.expiry || row.expires_at;
    row.label = textOrNull(registration.label) ?? row.label;
    this.isChanged = true;
  }

  setOwner(owner: number | undefined): void {
    if (owner === this.#state.owner) return;
    this.#state.owner = owner;
    this.row.owner_fid = owner ?? null;
    this.isChanged = true;
  }

  /**
   * @param ts protocol seconds of the message
   * @returns why the message changes nothing; undefined: it was applied
   */
  apply(author: number, ts: number, message: ChannelMessage): Refusal | undefined {
    const { change, refusal } = decide(this.#state, author, message);
    if (refusal !== undefined) return refusal;
    const before = change.kind === 'slot' ? this.#state.slots.get(change.fid) : undefined;
    evolve(this.#state, change);
    this.#record(change, before, new Date(toUnixMs(ts)));
    this.isChanged = true;
    return undefined;
  }

  slotChanges(): readonly SlotChange[] {
    return [...this.#slots.values()];
  }

  moderations(): ModerationRow[] {
    return Array.from(this.#moderations, ([hash, hidden]) => ({
      channel_id: this.row.id,
      cast_hash: fromHex(hash),
      hidden,
    }));
  }

  #record(change: ChannelChange, before: SlotState | undefined, at: Date): void {
    const { row } = this;
    if (change.kind === 'pin') row.pinned_cast_hash = change.castHash ?? null;
    if (change.kind === 'moderation') this.#moderations.set(bareHex(change.castHash), change.isHidden);
    if (change.kind === 'update') this.#describe(change.metadata, at);
    if (change.kind === 'slot') {
      const { fid, state } = change;
      const known = this.#since.get(fid);
      const since = known !== undefined && isMember(before) && isMember(state) ? known : at;
      this.#since.set(fid, since);
      const first = this.#slots.get(fid);
      this.#slots.set(fid, {
        before: first === undefined ? before : first.before,
        after: { channel_id: row.id, fid, state, since },
      });
    }
    row.slot_count = this.#state.slotCount;
    row.moderator_count = this.#state.moderatorCount;
    row.moderation_count = this.#state.moderationCount;
  }

  #describe(metadata: ChannelMetadata, at: Date): void {
    Object.assign(this.row, {
      name: textOrNull(metadata.name),
      description: textOrNull(metadata.description),
      image_url: textOrNull(metadata.imageUrl),
      header: textOrNull(metadata.header),
      rules: textOrNull(metadata.rules),
      casting_mode: metadata.castingMode,
      membership_mode: metadata.membershipMode,
      described_at: at,
    } satisfies Partial<ProtocolChannelRow>);
  }
}
