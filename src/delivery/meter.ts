/** The kinds of delivery: events to the domains of mini apps, notifications to host apps, or events to webhooks. */
export type DeliveryKind = 'host_event' | 'host_push' | 'webhook';

/** Makes one attempt and measures its duration and outcome. @returns and throws as the attempt does */
export type DeliveryMeter = <Result>(kind: DeliveryKind, attempt: () => Promise<Result>) => Promise<Result>;
