-- Files that this service serves to everybody who knows their address.
create table media (
  -- 32 random bytes in base64url: the part of the address that cannot be guessed
  id text primary key,
  organization_id uuid not null references organization (id),
  app_id uuid not null references app (id),
  -- of the bytes: image/png, image/jpeg, image/gif or image/webp
  content_type text not null,
  -- of the bytes; all files of an organization count against its quota
  size integer not null,
  bytes bytea not null,
  created_at timestamptz not null
);
-- Images are compressed already.
alter table media alter column bytes set storage external;
create index media_organization on media (organization_id) include (size);
