import { associatedDomain, type DomainAssociation } from './domain-association.js';
import type { ConfigReader } from './reader.js';
import type { Secret } from './secret.js';

/** An endpoint with the interface of OpenAI for images. */
export interface ImageEndpoint {
  /** Without a trailing slash; `/images/generations` and `/images/edits` are appended. */
  readonly url: string;
  readonly key: Secret | undefined;
  readonly model: string;
  /** For `high_fidelity`; undefined: the same model. */
  readonly modelHigh: string | undefined;
}

/** Where images come from. */
export interface ImageSettings {
  /** Undefined: no model is configured. */
  readonly endpoint: ImageEndpoint | undefined;
  /** Whether a pattern is drawn where no model is configured. */
  readonly drawsPattern: boolean;
}

/** @returns where images come from; an endpoint without a model is a problem of the configuration */
export const readImages = (reader: ConfigReader): ImageSettings => {
  const url = reader.get('CASTELLAN_IMAGE_URL');
  const model = reader.get('CASTELLAN_IMAGE_MODEL');
  const [key, modelHigh] = [reader.get('CASTELLAN_IMAGE_KEY'), reader.get('CASTELLAN_IMAGE_MODEL_HIGH')];
  const drawsPattern = reader.get('CASTELLAN_IMAGE_GENERATOR') === 'pattern';
  if (url === undefined) return { endpoint: undefined, drawsPattern };
  if (model === undefined) reader.problem('CASTELLAN_IMAGE_MODEL', 'is required with CASTELLAN_IMAGE_URL.');
  return { endpoint: { url, key, model: model ?? '', modelHigh }, drawsPattern };
};

/** @param publicUrl whose domain the association must be about */
export const readAssociation = (reader: ConfigReader, publicUrl: string): DomainAssociation | undefined => {
  const association = reader.get('CASTELLAN_MINIAPP_ASSOCIATION');
  const [domain, host] = [association && associatedDomain(association), new URL(publicUrl).hostname];
  if (domain !== undefined && domain !== host) {
    reader.problem('CASTELLAN_MINIAPP_ASSOCIATION', `is about ${domain}, but the domain of PUBLIC_URL is ${host}.`);
  }
  return association;
};
