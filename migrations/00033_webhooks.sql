-- +goose Up

-- Where merchants are notified.
CREATE TABLE webhook_endpoints (
    id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint      NOT NULL REFERENCES merchants,
    url         text        NOT NULL,
    enabled     boolean     NOT NULL DEFAULT true,
    secret      bytea       NOT NULL,     -- sealed; signs
    staged      bytea,                    -- sealed; shown to the merchant, to sign once activated
    former      bytea,                    -- sealed; what signed before, still among the Standard Webhooks signatures
    former_until timestamptz,
    rotated_at  timestamptz NOT NULL DEFAULT now(),
    failures    int         NOT NULL DEFAULT 0, -- attempts that failed since one succeeded
    paused_until timestamptz,             -- the breaker is open
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_endpoints_merchant ON webhook_endpoints (merchant_id, id); -- endpoints of an event's merchant

-- Events, exactly as merchants receive them. The id follows from the transfer and its status.
CREATE TABLE webhook_events (
    id          text        PRIMARY KEY,
    seq         bigint      GENERATED ALWAYS AS IDENTITY UNIQUE, -- the cursor of a replay
    merchant_id bigint      NOT NULL REFERENCES merchants,
    reference   text        NOT NULL,
    status      smallint    NOT NULL,
    test        boolean     NOT NULL DEFAULT false,
    body        bytea       NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webhook_events_merchant ON webhook_events (merchant_id, seq); -- replaying a merchant's events
CREATE INDEX webhook_events_reference ON webhook_events (reference);       -- order of the events of a payment

-- An event on its way to an endpoint.
CREATE TABLE webhook_deliveries (
    id           bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id     text        NOT NULL REFERENCES webhook_events,
    endpoint_id  bigint      NOT NULL REFERENCES webhook_endpoints,
    trigger      smallint    NOT NULL, -- 0 the event itself, 1 by hand, 2 a test, 3 a replay
    state        smallint    NOT NULL DEFAULT 0, -- 0 pending, 1 retrying, 2 delivered, 3 exhausted, 4 skipped
    attempts     smallint    NOT NULL DEFAULT 0,
    next_at      timestamptz,          -- of the next attempt, while retrying
    created_at   timestamptz NOT NULL DEFAULT now(),
    finished_at  timestamptz,
    reason       text        NOT NULL DEFAULT '' -- of the state, for people
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (event_id, endpoint_id) WHERE trigger = 0; -- one delivery by itself
CREATE INDEX webhook_deliveries_endpoint ON webhook_deliveries (endpoint_id, id DESC); -- the delivery log
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (endpoint_id, id) WHERE state < 2; -- the backlog

-- The requests of each delivery.
CREATE TABLE webhook_attempts (
    delivery_id bigint      NOT NULL REFERENCES webhook_deliveries,
    attempt     smallint    NOT NULL, -- from 1
    started_at  timestamptz NOT NULL,
    duration    bigint      NOT NULL, -- milliseconds
    status      smallint    NOT NULL, -- of HTTP; 0 when there was none
    error       text        NOT NULL,
    excerpt     text        NOT NULL, -- of the response body
    PRIMARY KEY (delivery_id, attempt)
);

-- +goose Down
DROP TABLE webhook_attempts, webhook_deliveries, webhook_events, webhook_endpoints;
