import { bareHex } from '../../hex.js';
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
import { CastingMode, ChannelRegisterType, MembershipMode } from '../../protocol/channel/type.js';
import { toUnixMs } from '../../protocol/time.js';
import type { ProtocolChannelRow } from '../../store/channel/protocol-channel.js';
import type { ModerationRow, SlotRow } from '../../store/channel/protocol-slot.js';
import { storable } from '../../store/protocol/text.js';

type Row = { -readonly [Column in keyof ProtocolChannelRow]: ProtocolChannelRow[Column] };

/** @returns a channel that was registered by this event, before any message */
export const registeredRow = (key: string, registration: ChannelRegistration): ProtocolChannelRow => ({
  id: registration.id,
  key: storable(key),
  label: registration.label === null ? null : storable(registration.label),
  ownerAddress: registration.ownerAddress ?? null,
  expiresAt: registration.expiry || null,
  registeredAt: new Date(registration.blockTimestamp * 1000),
  blockNumber: registration.blockNumber,
  logIndex: registration.logIndex,
  ownerFid: null,
  name: null,
  description: null,
  imageUrl: null,
  header: null,
  rules: null,
  castingMode: CastingMode.membersOnly,
  membershipMode: MembershipMode.approval,
  describedAt: null,
  pinnedCastHash: null,
  pinnedBy: null,
  slotCount: 0,
  moderatorCount: 0,
  moderationCount: 0,
  shownUrl: null,
});

const metadataOf = (row: ProtocolChannelRow): ChannelMetadata | undefined =>
  row.describedAt === null
    ? undefined
    : {
        name: row.name,
        description: row.description,
        imageUrl: row.imageUrl,
        header: row.header,
        rules: row.rules,
        castingMode: row.castingMode as ChannelMetadata['castingMode'],
        membershipMode: row.membershipMode as ChannelMetadata['membershipMode'],
      };

const stateOf = (row: ProtocolChannelRow): ChannelState => ({
  ...emptyChannel(),
  owner: row.ownerFid ?? undefined,
  metadata: metadataOf(row),
  pin: row.pinnedCastHash ?? undefined,
  slotCount: row.slotCount,
  moderatorCount: row.moderatorCount,
  moderationCount: row.moderationCount,
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
  readonly #moderations = new Map<string, Omit<ModerationRow, 'channelId'>>();
  /** The owner before the batch. */
  readonly formerOwner: number | null;
  isChanged: boolean;

  constructor(row: ProtocolChannelRow, isNew: boolean) {
    this.row = { ...row };
    this.#state = stateOf(row);
    this.formerOwner = row.ownerFid;
    this.isChanged = isNew;
  }

  /** Adds what is stored of an account or a cast that a message of the batch concerns. */
  loadSlot({ fid, state, since }: SlotRow): void {
    this.#state.slots.set(fid, state);
    this.#since.set(fid, since);
  }

  loadModeration({ castHash, hidden }: ModerationRow): void {
    this.#state.moderations.set(bareHex(castHash), hidden);
  }

  /**
   * An event that is not newer than the last one changes nothing; what an event does not contain stays. A transfer changes the
   * owner alone, a renewal the end.
   */
  register(registration: ChannelRegistration): void {
    const { row } = this;
    const { blockNumber, logIndex } = registration;
    if (blockNumber < row.blockNumber || (blockNumber === row.blockNumber && logIndex <= row.logIndex)) return;
    row.blockNumber = blockNumber;
    row.logIndex = logIndex;
    const { eventType } = registration;
    if (eventType !== ChannelRegisterType.renew) row.ownerAddress = registration.ownerAddress ?? row.ownerAddress;
    if (eventType !== ChannelRegisterType.transfer) row.expiresAt = registration.expiry || row.expiresAt;
    row.label = textOrNull(registration.label) ?? row.label;
    this.isChanged = true;
  }

  setOwner(owner: number | undefined): void {
    if (owner === this.#state.owner) return;
    this.#state.owner = owner;
    this.row.ownerFid = owner ?? null;
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
    this.#record(change, before, author, ts);
    this.isChanged = true;
    return undefined;
  }

  slotChanges(): readonly SlotChange[] {
    return [...this.#slots.values()];
  }

  moderations(): ModerationRow[] {
    return Array.from(this.#moderations.values(), (moderation) => ({ channelId: this.row.id, ...moderation }));
  }

  #record(change: ChannelChange, before: SlotState | undefined, author: number, ts: number): void {
    const { row } = this;
    const at = new Date(toUnixMs(ts));
    if (change.kind === 'pin') {
      row.pinnedCastHash = change.castHash ?? null;
      row.pinnedBy = change.castHash === undefined ? null : author;
    }
    if (change.kind === 'moderation') {
      const { castHash, isHidden: hidden } = change;
      this.#moderations.set(bareHex(castHash), { castHash, hidden, moderatedBy: author });
    }
    if (change.kind === 'update') this.#describe(change.metadata, at);
    if (change.kind === 'slot') {
      const { fid, state } = change;
      const known = this.#since.get(fid);
      const since = known !== undefined && isMember(before) && isMember(state) ? known : at;
      this.#since.set(fid, since);
      const first = this.#slots.get(fid);
      this.#slots.set(fid, {
        before: first === undefined ? before : first.before,
        after: { channelId: row.id, fid, state, since, actedTs: ts },
      });
    }
    row.slotCount = this.#state.slotCount;
    row.moderatorCount = this.#state.moderatorCount;
    row.moderationCount = this.#state.moderationCount;
  }

  #describe(metadata: ChannelMetadata, at: Date): void {
    Object.assign(this.row, {
      name: textOrNull(metadata.name),
      description: textOrNull(metadata.description),
      imageUrl: textOrNull(metadata.imageUrl),
      header: textOrNull(metadata.header),
      rules: textOrNull(metadata.rules),
      castingMode: metadata.castingMode,
      membershipMode: metadata.membershipMode,
      describedAt: at,
    } satisfies Partial<ProtocolChannelRow>);
  }
}
