-- +goose Up

-- A token is also found by its symbol and by the beginning of each of its first 8 words, so it has a row for each of these texts.
ALTER TABLE token_names DROP CONSTRAINT token_names_pkey;
ALTER TABLE token_names ADD PRIMARY KEY (address, kind, name);

INSERT INTO token_names
    SELECT DISTINCT left(w.name, 100), m.address, m.kind FROM metadata m CROSS JOIN LATERAL (
        SELECT lower(trim(m.result ->> 'symbol')) AS name
        UNION ALL SELECT ltrim(substr(n.name, regexp_instr(n.name, '\S+', 1, i)), '"''([{#$@& ') FROM
            (SELECT lower(trim(m.result ->> 'name')) AS name) n CROSS JOIN generate_series(2, 8) i WHERE regexp_instr(n.name, '\S+', 1, i) > 0) w
    WHERE w.name <> '' AND m.result IS NOT NULL
    ON CONFLICT DO NOTHING;

COMMENT ON TABLE token_names IS 'texts by which tokens are found: names, symbols, and names from their second to eighth word on, in lower case';

-- +goose Down
TRUNCATE token_names;
ALTER TABLE token_names DROP CONSTRAINT token_names_pkey;
ALTER TABLE token_names ADD PRIMARY KEY (address, kind);
INSERT INTO token_names SELECT left(lower(result ->> 'name'), 100), address, kind FROM metadata WHERE result ->> 'name' <> '';
