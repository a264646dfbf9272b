import type { Environment } from './env.js';
import { ConfigReader } from './reader.js';
import { MasterKey, Secret } from './secret.js';
import { VARIABLE_GROUPS, type VariableName } from './variable.js';
import type { Profile, Variable } from './variable-row.js';

/** A variable as a running service has it. */
export interface VariableInForce {
  /** Title of its part of docs/configuration.md. */
  readonly group: string;
  readonly name: string;
  /** null: it has no value, or a secret one. */
  readonly value: string | null;
  readonly isSecret: boolean;
  /** Nobody set it. */
  readonly isDefault: boolean;
  /** The default value in words, in Markdown. */
  readonly defaultText: string;
  /** In Markdown. */
  readonly description: string;
}

const isSecret = (value: unknown): boolean =>
  value instanceof Secret || value instanceof MasterKey || (Array.isArray(value) && value.some(isSecret));

/** @returns the text without what may be a password or a key in an address */
const withoutCredentials = (text: string): string =>
  text.replace(/(\w+:\/\/)[^\s/@,]*@/g, '$1***@').replace(/(\w+:\/\/[^\s?#,]*)[?#][^\s,]*/g, '$1?***');

/** @returns a default value as a person would write it; null: there is none */
const asText = (value: unknown): string | null =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0) ? null : String(value);

/**
 * @param environment what the service was started with; its variables are valid
 * @returns all variables in the order of docs/configuration.md, without secrets
 */
export const variablesInForce = (environment: Environment, profile: Profile): readonly VariableInForce[] => {
  const reader = new ConfigReader(environment, profile);
  return Object.entries(VARIABLE_GROUPS).flatMap(([group, variables]) =>
    Object.entries(variables as Readonly<Record<string, Variable<unknown>>>).map(
      ([name, { defaults, defaultText, description }]): VariableInForce => {
        const given = reader.text(name);
        const hidden = given !== undefined && isSecret(reader.get(name as VariableName));
        const shown = given === undefined ? asText(defaults[profile]) : withoutCredentials(given);
        return {
          ...{ group, name, defaultText, description },
          value: hidden ? null : shown,
          isSecret: hidden,
          isDefault: given === undefined,
        };
      },
    ),
  );
};
