/** Compute units of hub operations: a list may carry a thousand messages, a submitted one is verified and stored. */
export const HUB_UNITS = { lookup: 1, list: 4, validate: 2, submit: 10 } as const;
