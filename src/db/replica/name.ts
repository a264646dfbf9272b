import pg from 'pg';

/** @returns `host:port` of an address of one host. The driver would read the files that the address names, which may be gone. */
export const replicaName = (url: string): string => {
  const address = new URL(url);
  for (const param of [...address.searchParams.keys()]) if (param.startsWith('ssl')) address.searchParams.delete(param);
  const { host, port } = new pg.Client({ connectionString: address.href });
  return `${host}:${port}`;
};
