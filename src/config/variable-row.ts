import type { Parse } from './parse.js';

export type Profile = 'dev' | 'serve';

/** One environment variable: what it means and how it is read. docs/configuration.md is generated from these. */
export interface Variable<Value> {
  readonly parse: Parse<unknown>;
  readonly defaults: Readonly<Record<Profile, Value>>;
  /** The default value in words, in Markdown. */
  readonly defaultText: string;
  /** In Markdown; of one paragraph. */
  readonly description: string;
}

/** A variable with the same default value in both profiles. */
export const variable = <Value>(
  parse: Parse<Value>,
  value: NoInfer<Value>,
  description: string,
  defaultText = `${value}`,
): Variable<Value> => ({ parse, defaults: { dev: value, serve: value }, defaultText, description });

/** A variable whose default value depends on the profile. */
export const byProfile = <Value>(
  parse: Parse<Value>,
  defaults: Record<Profile, NoInfer<Value>>,
  description: string,
): Variable<Value> => ({
  parse,
  defaults,
  defaultText: `${defaults.serve ?? 'none'}; \`dev\`: ${String(defaults.dev) || 'off'}`,
  description,
});

export const optional = <Value>(parse: Parse<Value>, description: string, defaultText = 'none') =>
  variable<Value | undefined>(parse, undefined, description, defaultText);
