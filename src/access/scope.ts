/** What a key may do; every operation asks for one of these. */
export const SCOPES = ['read', 'write', 'mute', 'seen', 'host', 'wallet', 'portal', 'webhook'] as const;
export type Scope = (typeof SCOPES)[number];

/** @returns whether the word is a scope. */
export const isScope = (word: string): word is Scope => (SCOPES as readonly string[]).includes(word);
