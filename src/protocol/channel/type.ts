/** `MessageType` numbers of the protocol's channels, which @farcaster/core 0.20 does not know. */
export const ChannelMessageType = { update: 18, member: 19, pin: 20, moderate: 21 } as const;

/** `OnChainEventType` of registrations, renewals and transfers of channels. */
export const CHANNEL_REGISTER_EVENT = 6;

/** `HubEventType` of the hint that a channel may have another owner. */
export const CHANNEL_OWNER_CHANGE_HINT = 12;

/** `ChannelRegisterEventType`: what an event of a channel's registry did. */
export const ChannelRegisterType = { register: 1, renew: 2, transfer: 3 } as const;

export const isChannelType = (type: number): boolean =>
  type >= ChannelMessageType.update && type <= ChannelMessageType.moderate;

/** Who should cast in a channel. It is advice: hubs do not enforce it. */
export const CastingMode = { everyone: 1, membersOnly: 2, recommended: 3 } as const;

/** Who may join a channel: everybody, or those whom an owner or moderator adds. */
export const MembershipMode = { open: 1, approval: 2 } as const;

/** What a CHANNEL_MEMBER message does to the account that it names. */
export const MemberAction = {
  addMember: 1,
  removeMember: 2,
  addModerator: 3,
  removeModerator: 4,
  ban: 5,
  unban: 6,
} as const;

export const ModerateAction = { hide: 1, unhide: 2 } as const;

/** @returns whether the number is one of the enumeration's */
export const isOneOf = (values: Readonly<Record<string, number>>, value: number): boolean =>
  Object.values(values).includes(value);
