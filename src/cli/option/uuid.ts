const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @returns whether it is a text like 00000000-0000-4000-8000-000000000001. */
export const isUuid = (text: unknown): text is string => typeof text === 'string' && UUID.test(text);
