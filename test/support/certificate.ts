import { generate } from 'selfsigned';

/** Key and certificate in PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const YEAR_MS = 365 * 86_400_000;

/** @returns a certificate authority that no program trusts by default. */
export const makeAuthority = async (): Promise<Certificate> => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
    ],
  });
  return { key, cert };
};

/** @returns a server's certificate for these names, signed by the authority; `expired` makes it end yesterday. */
export const makeCertificate = async (
  authority: Certificate,
  names: readonly string[],
  { expired = false }: { readonly expired?: boolean } = {},
): Promise<Certificate> => {
  const end = expired ? Date.now() - 86_400_000 : Date.now() + YEAR_MS;
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] as string }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(end - YEAR_MS),
    notAfterDate: new Date(end),
    ca: authority,
    extensions: [{ name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) }],
  });
  return { key, cert };
};
