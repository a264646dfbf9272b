import type { Setup } from './setup.js';

/** Longest request, in seconds: streams are quiet for less. */
const PROXY_READ_SECONDS = 120;

/**
 * Caddy gets and renews the certificate by itself. It passes streams on at once, and ends the request of a client that has
 * gone, as long as `flush_interval` is not set (https://caddyserver.com/docs/caddyfile/directives/reverse_proxy#streaming).
 * @returns the text of a `Caddyfile`
 */
export const caddyFile = ({ domain }: Setup): string => `# Written by castellan init.
${domain} {
	reverse_proxy 127.0.0.1:3000
}
`;

/** @returns the text of a site for nginx, with the names that certbot gives to certificates */
export const nginxFile = ({
  domain,
}: Setup): string => `# Written by castellan init. Certificate: certbot certonly --nginx --domain ${domain}
server {
  listen 80;
  listen [::]:80;
  server_name ${domain};
  return 308 https://$host$request_uri;
}

server {
  listen 443 ssl;
  listen [::]:443 ssl;
  server_name ${domain};
  ssl_certificate /etc/letsencrypt/live/${domain}/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/${domain}/privkey.pem;

  # Older clients send their key in the header api_key.
  underscores_in_headers on;
  # The service has limits of its own.
  client_max_body_size 0;

  location / {
    proxy_pass http://127.0.0.1:3000;
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_set_header X-Forwarded-Proto $scheme;
    # Streams arrive at once, and may be WebSockets.
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $http_connection;
    proxy_buffering off;
    proxy_read_timeout ${PROXY_READ_SECONDS}s;
  }
}
`;

/** Where things are on this machine. */
export interface Place {
  /** Absolute path of the folder with `.env`. */
  readonly folder: string;
  /** Absolute path of Node.js. */
  readonly node: string;
  /** Absolute path of the program. */
  readonly program: string;
  /** Name of the user who runs `init`; as root, the service gets a user of its own. */
  readonly user: string;
}

/** @returns the text of a systemd unit */
export const systemdUnit = ({ folder, node, program, user }: Place): string => `# Written by castellan init.
[Unit]
Description=Castellan, a server for the Farcaster protocol
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
Type=exec
${user === 'root' ? 'DynamicUser=yes' : `User=${user}`}
EnvironmentFile=${folder}/.env
Environment=NODE_ENV=production CASTELLAN_DATA_DIR=/var/lib/castellan
StateDirectory=castellan
StateDirectoryMode=0700
WorkingDirectory=/var/lib/castellan
ExecStart=${node} ${program} serve
Restart=on-failure
RestartSec=5
# The service stops within 10 seconds; deliveries in progress are finished.
TimeoutStopSec=15
NoNewPrivileges=yes
CapabilityBoundingSet=
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes

[Install]
WantedBy=multi-user.target
`;
