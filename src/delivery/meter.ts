/** What is delivered: events to the domains of mini apps, or notifications to the webhooks of host apps. */
export type DeliveryKind = 'host_event' | 'host_push';

/** Makes one attempt, and counts how long it took and whether it arrived; @returns or throws what the attempt does. */
export type DeliveryMeter = <Result>(kind: DeliveryKind, attempt: () => Promise<Result>) => Promise<Result>;
