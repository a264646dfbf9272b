-- Requests to write that carried an idempotency key; kept for a day. Small: it grows with the writes of a day.
create table idempotent_write (
  app_id uuid not null references app (id),
  -- operationId
  operation text not null,
  -- SHA-256 of the key that the caller chose, however long it is
  idem bytea not null,
  -- SHA-256 of the request's body
  body bytea not null,
  -- the protobuf Message that the request decided on, kept before it is submitted
  message bytea,
  -- what was answered, JSON as it was sent; null: whether the message is stored is not known yet
  answer text,
  created_at timestamptz not null,
  primary key (app_id, operation, idem)
);
create index idempotent_write_created on idempotent_write (created_at);
