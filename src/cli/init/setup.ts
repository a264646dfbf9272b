/** What an installation is made of, as `castellan init` was told. */
export interface Setup {
  /** Host name by which clients reach the service: `castellan.example`. */
  readonly domain: string;
  /** Address of the PostgreSQL server; undefined with containers, which bring one. */
  readonly databaseUrl: string | undefined;
  /** `grpc://host:port` or `grpcs://host:port`; undefined: no hub is followed. */
  readonly hubUrl: string | undefined;
  readonly proxy: ReverseProxy;
  readonly runner: Runner;
}

/** The reverse proxy for which a file is written. */
export const PROXIES = ['caddy', 'nginx', 'none'] as const;
export type ReverseProxy = (typeof PROXIES)[number];

/** What starts the service and keeps it running. */
export const RUNNERS = ['systemd', 'compose', 'none'] as const;
export type Runner = (typeof RUNNERS)[number];
