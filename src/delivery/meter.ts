/** The kinds of delivery: events to the domains of mini apps, or notifications to the webhooks of host apps. */
export type DeliveryKind = 'host_event' | 'host_push';

/** Makes one attempt and measures its duration and outcome. @returns and throws as the attempt does */
export type DeliveryMeter = <Result>(kind: DeliveryKind, attempt: () => Promise<Result>) => Promise<Result>;
