-- Whether too much waits for a webhook is looked at once a minute, and not while a call writes down what it has come to: counting
-- thousands of deliveries took milliseconds in its transaction.
ALTER TABLE webhooks ADD COLUMN is_full boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION webhook_tell(p_account text, p_type text, p_subject text, p_facts jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE w record; event text;
BEGIN
  FOR w IN SELECT id FROM webhooks WHERE account_id = p_account AND enabled AND NOT is_full AND p_type = ANY (events) LOOP
    IF event IS NULL THEN
      event := 'evt_' || replace(gen_random_uuid()::text, '-', '');
      INSERT INTO webhook_events (id, account_id, type, subject_id, facts)
      VALUES (event, p_account, p_type, p_subject, p_facts);
    END IF;
    INSERT INTO webhook_deliveries (id, event_id, webhook_id, account_id, type)
    VALUES ('dlv_' || replace(gen_random_uuid()::text, '-', ''), event, w.id, p_account, p_type);
  END LOOP;
END $$;
