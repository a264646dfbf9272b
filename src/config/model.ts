import type { ConfigReader } from './reader.js';
import type { Secret } from './secret.js';

/** Where a model with the interface of OpenAI is. */
export interface ModelAddress {
  /** Base URL without a trailing slash, with or without `/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key: Secret | undefined;
}

/** @returns where a model is; undefined: none is configured */
export const readModel = (reader: ConfigReader, kind: 'SUMMARY' | 'EMBEDDING'): ModelAddress | undefined => {
  const [urlName, modelName, keyName] = [
    `CASTELLAN_${kind}_URL`,
    `CASTELLAN_${kind}_MODEL`,
    `CASTELLAN_${kind}_KEY`,
  ] as const;
  const url = reader.get(urlName);
  const name = reader.get(modelName);
  const key = reader.get(keyName);
  if (url === undefined) {
    const isMissing = reader.text(urlName) === undefined;
    if (isMissing && (name ?? key) !== undefined)
      reader.problem(urlName, `is required with ${modelName} and ${keyName}.`);
    return undefined;
  }
  if (name === undefined) reader.problem(modelName, `is required with ${urlName}.`);
  return { url, name: name ?? '', key };
};
