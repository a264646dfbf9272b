/** What a key may do; every operation asks for one of these. */
export const SCOPES = ['read', 'write', 'mute', 'seen', 'host', 'wallet', 'portal', 'webhook', 'operator'] as const;
export type Scope = (typeof SCOPES)[number];

/** What the key of the configuration may do in production: it is often given to an app, which is no operator. */
export const APP_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'operator');

/** How the refusal of a key without a scope begins. */
export const LACKS_SCOPE = 'This API key lacks the scope';

/** @returns whether the word is a scope. */
export const isScope = (word: string): word is Scope => (SCOPES as readonly string[]).includes(word);
