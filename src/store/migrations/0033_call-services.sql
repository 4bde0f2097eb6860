-- What a call took of services that charge: by service and unit, as each of them counts.
ALTER TABLE calls ADD COLUMN services jsonb;
