-- The transaction with which the operator registers a requested key at its own expense; null: it has sent none.
alter table signed_key_request add column sponsor_transaction_id uuid;
