import type { Parse } from './parse.js';

/** The signed statement of an account that it owns a domain, as `/.well-known/farcaster.json` shows it. */
export interface DomainAssociation {
  readonly header: string;
  readonly payload: string;
  readonly signature: string;
}

/** @returns the domain that an association is about; undefined for a payload of another form */
export const associatedDomain = ({ payload }: DomainAssociation): string | undefined => {
  try {
    const { domain } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { domain?: unknown };
    return typeof domain === 'string' ? domain : undefined;
  } catch {
    return undefined;
  }
};

const BASE64 = /^[A-Za-z0-9_+/-]+=*$/;

/** JSON of a `DomainAssociation`, alone or as the member `accountAssociation` of a manifest. */
export const domainAssociation: Parse<DomainAssociation> = (text, report) => {
  try {
    const value = JSON.parse(text) as { accountAssociation?: unknown };
    const { header, payload, signature } = (value.accountAssociation ?? value) as DomainAssociation;
    const isSigned = [header, payload, signature].every((part) => typeof part === 'string' && BASE64.test(part));
    if (isSigned && associatedDomain({ header, payload, signature }) !== undefined)
      return { header, payload, signature };
  } catch {
    // Reported below, as other texts.
  }
  return report(
    'is not JSON of the form {"header": "...", "payload": "...", "signature": "..."} with a domain as payload.',
  );
};
