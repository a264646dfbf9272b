-- Programs send the same sign-in again once its user has approved a signer: a nonce is good for one message until it
-- expires. Null: no message used it yet.
alter table login_nonce add column message_hash bytea;
