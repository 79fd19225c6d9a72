-- +goose Up

-- What the recipient has of the payment that decided, also when it is less than the amount; NULL while pending. paid stays
-- the amounts in events; that of a failure may be the requested one.
ALTER TABLE payments
    ADD COLUMN received numeric,
    ADD COLUMN deducted numeric; -- fees that the sender's wallet took from the value it was requested to send; NULL for none
UPDATE payments SET received = CASE WHEN status = 1 OR error_code = 37 AND paid < amount THEN paid ELSE 0 END WHERE status <> 0;

-- +goose Down
ALTER TABLE payments DROP COLUMN deducted, DROP COLUMN received;
