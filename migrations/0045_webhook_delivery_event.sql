-- The body of an event is deleted when no delivery has it any more: without this, all deliveries are read for that.
create index webhook_delivery_event on webhook_delivery (log_id, part);
