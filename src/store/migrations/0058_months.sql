-- expand: calls, turns and charges in tables by month, see src/store/months.md; older gateways write and read them by the same names
-- safe turns: its reference to calls is made again below, for every part
-- safe sip_ladders: as turns
-- safe turns_untimed: a part of turns, with what turns has had
-- safe turns_timed: as turns_untimed, and new

-- What goes on is waited for, but hardly: who comes meanwhile waits behind us. The step is tried again.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE calls, turns, charges, sip_ladders IN ACCESS EXCLUSIVE MODE;

-- Which tables are parted by month, by which column, and what their ids begin with.
CREATE FUNCTION month_roots() RETURNS TABLE (name text, of text, key text, prefix text) LANGUAGE sql IMMUTABLE AS $$
  VALUES ('calls_timed', 'calls', 'id', 'call'), ('turns_timed', 'turns', 'call_id', 'call'),
    ('charges_call', 'charges', 'id', 'call'), ('charges_chg', 'charges', 'id', 'chg'), ('charges_ts', 'charges', 'id', 'ts')
$$;

ALTER TABLE turns DROP CONSTRAINT turns_call_id_fkey;
ALTER TABLE sip_ladders DROP CONSTRAINT sip_ladders_call_id_fkey;

-- The table that was there becomes a part of one that takes over its name, indexes, triggers and rights: no row is read or moved.
DO $$
DECLARE split record; one record; made text[]; untimed text;
BEGIN
  FOR split IN SELECT DISTINCT of AS name, key FROM month_roots() LOOP
    untimed := split.name || '_untimed';
    SELECT array_agg(format('ALTER TABLE %I ADD CONSTRAINT %I %s', split.name, conname, pg_get_constraintdef(oid))) INTO made
      FROM pg_constraint WHERE conrelid = split.name::regclass AND contype IN ('p', 'f');
    SELECT made || coalesce(array_agg(pg_get_indexdef(indexrelid)), '{}') INTO made
      FROM pg_index WHERE indrelid = split.name::regclass AND NOT indisprimary;
    SELECT made || coalesce(array_agg(pg_get_triggerdef(oid)), '{}') INTO made
      FROM pg_trigger WHERE tgrelid = split.name::regclass AND NOT tgisinternal;
    SELECT made || coalesce(array_agg(format('GRANT %s ON %I TO %s', g.privilege_type, split.name,
        CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(g.grantee)) END)), '{}') INTO made
      FROM pg_class c, aclexplode(c.relacl) g WHERE c.oid = split.name::regclass AND g.grantee <> c.relowner;
    FOR one IN SELECT tgname AS name FROM pg_trigger WHERE tgrelid = split.name::regclass AND NOT tgisinternal LOOP
      EXECUTE format('DROP TRIGGER %I ON %I', one.name, split.name);
    END LOOP;
    FOR one IN SELECT indexrelid::regclass AS index, relname || '_untimed' AS name FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE indrelid = split.name::regclass LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', one.index, one.name);
    END LOOP;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', split.name, untimed);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) PARTITION BY RANGE (%I)',
      split.name, untimed, split.key);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', split.name, untimed); -- it is about the part alone
    FOR one IN SELECT statement FROM unnest(made) AS m (statement) LOOP EXECUTE one.statement; END LOOP;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I DEFAULT', split.name, untimed);
  END LOOP;
  FOR split IN SELECT * FROM month_roots() LOOP
    EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L) PARTITION BY RANGE (%I)',
      split.name, split.of, split.prefix || '_0', split.prefix || '_1', split.key);
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', split.name || '_rest', split.name);
  END LOOP;
END $$;

-- Not checked again: every row was, as it was written.
ALTER TABLE turns_untimed ADD CONSTRAINT turns_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) NOT VALID;
ALTER TABLE turns_timed ADD CONSTRAINT turns_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id);
ALTER TABLE sip_ladders ADD CONSTRAINT sip_ladders_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE NOT VALID;

-- When the month of p_at begins (UTC).
CREATE FUNCTION month_start(p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_trunc('month', p_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
$$;

/*
 * Makes the table of the month of p_at, where there is none: whether it did. A month that has begun without one stays in the rest. It gives up soon
 * where something is in its way (lock_not_available), before PostgreSQL looks for whoever waits in a circle (deadlock_timeout). Parts belong to whoever owns
 * the tables, which the role of a gateway need not be.
 */
CREATE FUNCTION make_month(p_root text, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql
SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE
  root record; name text; low text; high text; began boolean;
BEGIN
  SELECT * INTO STRICT root FROM month_roots() AS r WHERE r.name = p_root;
  name := p_root || to_char(p_at AT TIME ZONE 'UTC', '_YYYY_MM');
  IF to_regclass(quote_ident(name)) IS NOT NULL THEN RETURN false; END IF;
  low := timed_id(root.prefix, month_start(p_at));
  high := timed_id(root.prefix, month_start(month_start(p_at) + interval '40 days'));
  EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %I >= %L AND %I < %L)', p_root || '_rest', root.key, low, root.key, high) INTO began;
  IF began THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE) WITH (autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', name, p_root);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', p_root, name, low, high);
  RETURN true;
END $$;

/* Takes the table of a month away that has no rows left. What comes late goes to the rest. */
CREATE FUNCTION drop_month(p_name text) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT SET lock_timeout = '500ms' AS $$
DECLARE used boolean;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_inherits JOIN month_roots() r ON inhparent = to_regclass(r.name) WHERE inhrelid = to_regclass(quote_ident(p_name))) THEN
    RETURN false;
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM %I)', p_name) INTO used;
  IF used THEN RETURN false; END IF;
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', p_name);
  EXECUTE format('SELECT EXISTS (SELECT FROM %I)', p_name) INTO used;
  IF NOT used THEN EXECUTE format('DROP TABLE %I', p_name); END IF;
  RETURN NOT used;
END $$;

DO $$
BEGIN
  PERFORM make_month(name, month_start(now())), make_month(name, month_start(month_start(now()) + interval '40 days')) FROM month_roots();
END $$;
