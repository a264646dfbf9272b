/**
 * How a connection is made to a host with several addresses: one after another, as Node does. Node gives each but the last
 * 250 ms, and then closes it even if it has just connected and this process was too busy to see that. A second is also
 * enough for hosts far away, and leaves time for the others within the usual limits of 5 s.
 */
export const ADDRESS_CHOICE = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 } as const;
