-- +goose Up

-- What a merchant may have at once. Triggers enforce it, so that concurrent requests cannot pass a count together.
ALTER TABLE merchants
    ADD COLUMN max_keys      int NOT NULL DEFAULT 20 CHECK (max_keys > 0),         -- valid API keys
    ADD COLUMN max_endpoints int NOT NULL DEFAULT 10 CHECK (max_endpoints > 0),    -- webhook endpoints
    ADD COLUMN max_open      int NOT NULL DEFAULT 10000 CHECK (max_open > 1);      -- pending payments before their expiry; a key may hold half

-- Which key registered a payment; NULL for those of earlier versions.
ALTER TABLE payments ADD COLUMN key_id bigint REFERENCES merchant_keys;
CREATE INDEX payments_open ON payments (merchant_id, expires_at) INCLUDE (key_id) WHERE status = 0; -- counting open payments

-- Addresses, as hashes, at which somebody has signed in to a merchant: the wrong guesses of others do not count there.
CREATE TABLE merchant_addresses (
    merchant_id bigint      NOT NULL REFERENCES merchants,
    hash        bytea       NOT NULL CHECK (length(hash) = 32),
    used_at     timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (merchant_id, hash)
);

-- SQLSTATE TQ001: there are as many as there may be; the detail is the number. TQ002: there is one like it already.
-- +goose StatementBegin
CREATE FUNCTION bound_merchant_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most int;
BEGIN
    SELECT m.max_keys INTO most FROM merchants m WHERE m.id = NEW.merchant_id FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM merchant_keys k WHERE k.merchant_id = NEW.merchant_id AND k.revoked_at IS NULL) >= most THEN
        RAISE EXCEPTION 'too many keys' USING ERRCODE = 'TQ001', DETAIL = most::text;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER merchant_keys_bound BEFORE INSERT ON merchant_keys FOR EACH ROW EXECUTE FUNCTION bound_merchant_keys();

-- +goose StatementBegin
CREATE FUNCTION bound_webhook_endpoints() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most int;
BEGIN
    SELECT m.max_endpoints INTO most FROM merchants m WHERE m.id = NEW.merchant_id FOR NO KEY UPDATE;
    IF EXISTS (SELECT FROM webhook_endpoints n WHERE n.merchant_id = NEW.merchant_id AND n.removed_at IS NULL AND n.url = NEW.url AND n.id <> NEW.id) THEN
        RAISE EXCEPTION 'endpoint exists' USING ERRCODE = 'TQ002';
    END IF;
    IF TG_OP = 'INSERT' AND (SELECT count(*) FROM webhook_endpoints n WHERE n.merchant_id = NEW.merchant_id AND n.removed_at IS NULL) >= most THEN
        RAISE EXCEPTION 'too many endpoints' USING ERRCODE = 'TQ001', DETAIL = most::text;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER webhook_endpoints_bound BEFORE INSERT ON webhook_endpoints FOR EACH ROW EXECUTE FUNCTION bound_webhook_endpoints();
CREATE TRIGGER webhook_endpoints_moved BEFORE UPDATE ON webhook_endpoints FOR EACH ROW WHEN (NEW.url <> OLD.url)
    EXECUTE FUNCTION bound_webhook_endpoints();

-- Registrations of a merchant wait for one another from here to their commit.
-- +goose StatementBegin
CREATE FUNCTION bound_open_payments() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most   int;
    open   int;
    of_key int;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('open payments of ' || NEW.merchant_id, 0));
    SELECT m.max_open INTO most FROM merchants m WHERE m.id = NEW.merchant_id;
    SELECT count(*), count(*) FILTER (WHERE p.key_id = NEW.key_id) INTO open, of_key
        FROM payments p WHERE p.merchant_id = NEW.merchant_id AND p.status = 0 AND p.expires_at > NEW.created_at;
    IF open >= most OR of_key >= most / 2 THEN
        RAISE EXCEPTION 'too many open payments' USING ERRCODE = 'TQ001',
            DETAIL = CASE WHEN open >= most THEN most ELSE most / 2 END::text;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER payments_bound BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION bound_open_payments();

-- +goose StatementBegin
CREATE FUNCTION bound_access_keys() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most int;
BEGIN
    SELECT o.most_keys INTO most FROM access_owners o WHERE o.owner = NEW.owner AND o.network = NEW.network FOR NO KEY UPDATE;
    IF (SELECT count(*) FROM access_keys k WHERE k.owner = NEW.owner AND k.network = NEW.network AND k.expires_at IS NULL) >= most THEN
        RAISE EXCEPTION 'too many keys' USING ERRCODE = 'TQ001', DETAIL = most::text;
    END IF;
    RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER access_keys_bound BEFORE INSERT ON access_keys FOR EACH ROW EXECUTE FUNCTION bound_access_keys();

-- +goose Down
DROP TRIGGER access_keys_bound ON access_keys;
DROP FUNCTION bound_access_keys;
DROP TRIGGER payments_bound ON payments;
DROP FUNCTION bound_open_payments;
DROP TRIGGER webhook_endpoints_moved ON webhook_endpoints;
DROP TRIGGER webhook_endpoints_bound ON webhook_endpoints;
DROP FUNCTION bound_webhook_endpoints;
DROP TRIGGER merchant_keys_bound ON merchant_keys;
DROP FUNCTION bound_merchant_keys;
DROP TABLE merchant_addresses;
DROP INDEX payments_open;
ALTER TABLE payments DROP COLUMN key_id;
ALTER TABLE merchants DROP COLUMN max_open, DROP COLUMN max_endpoints, DROP COLUMN max_keys;
